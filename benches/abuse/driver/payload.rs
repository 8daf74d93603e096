//! What an abusive client sends.

/// Opens a session of this revision.
pub(crate) fn initialize(revision: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{"elicitation":{{}}}},"clientInfo":{{"name":"abuse","version":"1.0.0"}}}}}}"#
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

/// Says who asks, in a request of 2026-07-28.
const META: &str = concat!(
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"abuse","version":"1.0.0"}}"#
);

/// Calls a tool that asks, with a text of so many bytes.
pub(crate) fn ask(tool: &str, bytes: usize) -> String {
    call(1, tool, bytes, &format!(",{META}"))
}

/// The same in a session.
pub(crate) fn ask_in_session(id: usize, tool: &str, bytes: usize) -> String {
    call(id, tool, bytes, "")
}

/// Such a call again, with its state and the user's answer.
pub(crate) fn answer(tool: &str, bytes: usize, state: &str) -> String {
    let answer = r#""inputResponses":{"sure":{"action":"accept","content":{"sure":true}}}"#;
    call(1, tool, bytes, &format!(r#","requestState":"{state}",{answer},{META}"#))
}

fn call(id: usize, tool: &str, bytes: usize, more: &str) -> String {
    let text = "a".repeat(bytes);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"text":"{text}"}}{more}}}}}"#
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
