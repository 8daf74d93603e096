//! What an abusive client sends.

/// Opens a session of this revision.
pub(crate) fn initialize(revision: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{}},"clientInfo":{{"name":"abuse","version":"1.0.0"}}}}}}"#
    )
}

pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The revision that has batches.
pub(crate) const WITH_BATCHES: &str = "2025-03-26";

pub(crate) fn list(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#)
}

pub(crate) fn ping(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

/// Has `messages` log messages of 1 KB written.
pub(crate) fn write_log(id: usize, messages: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"write_log","arguments":{{"messages":{messages}}}}}}}"#
    )
}

/// A batch of 1 MB of what is not a message, a byte less than HTTP takes.
pub(crate) fn batch_of_nonsense() -> String {
    format!("[1{}]", ",1".repeat(524_286))
}

/// A batch of `tools/list` that is 296 KB long.
pub(crate) fn batch_of_lists() -> String {
    let mut batch = String::from("[");
    for id in 1.. {
        if batch.len() > 296_000 {
            break;
        }
        if id > 1 {
            batch.push(',');
        }
        batch.push_str(&list(id));
    }
    batch + "]"
}
