//! What an abusive client sends.

/// Returns the request that opens a session of this revision.
pub(crate) fn initialize(revision: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{revision}","capabilities":{{"elicitation":{{}}}},"clientInfo":{{"name":"abuse","version":"1.0.0"}}}}}}"#
    )
}

pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The only revision that allows batches.
pub(crate) const WITH_BATCHES: &str = "2025-03-26";

pub(crate) fn list(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#)
}

pub(crate) fn ping(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

/// Returns a call that makes the server write `messages` log messages of 1 KB each.
pub(crate) fn write_log(id: usize, messages: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"write_log","arguments":{{"messages":{messages}}}}}}}"#
    )
}

/// The part of a 2026-07-28 request that describes the client.
const META: &str = concat!(
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"abuse","version":"1.0.0"}}"#
);

/// Returns a call of a tool that asks the user. The text of the call has `bytes` bytes.
pub(crate) fn ask(tool: &str, bytes: usize) -> String {
    call(1, tool, bytes, &format!(",{META}"))
}

/// Returns the same call for a session.
pub(crate) fn ask_in_session(id: usize, tool: &str, bytes: usize) -> String {
    call(id, tool, bytes, "")
}

/// Returns the next request of such a call, with its state and the user's answer.
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

/// Returns a batch of 1 MB whose items are not messages. It is one byte smaller than the limit over HTTP.
pub(crate) fn batch_of_nonsense() -> String {
    format!("[1{}]", ",1".repeat(524_286))
}

/// Returns a batch of `tools/list` requests with 296 KB.
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
