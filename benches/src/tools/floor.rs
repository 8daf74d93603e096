//! The least possible handling of a message. The message is parsed into a typed struct that borrows from it, and
//! answered with literals.

use std::{
    borrow::Cow,
    io::{self, Write as _},
};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::names::with_99_names;

/// Appends the reply and a line end.
pub(crate) fn answer(id: &str, method: &str, params: &Params<'_>, tools: &str, reply: &mut Vec<u8>) -> io::Result<()> {
    let modern = params.meta.protocol_version.is_some();
    write!(reply, r#"{{"jsonrpc":"2.0","id":{id},"#)?;
    match method {
        "tools/call" if params.name == "confirm" && params.input_responses.is_none() => {
            reply.extend_from_slice(br#""result":{"resultType":"input_required","inputRequests":"#);
            reply.extend_from_slice(br#"{"sure":{"method":"elicitation/create","params":{"mode":"form","message":"#);
            serde_json::to_writer(&mut *reply, &format_args!("Give {} back?", params.arguments.text))?;
            reply.extend_from_slice(ASKED.as_bytes());
        }
        "tools/call" => {
            reply.extend_from_slice(br#""result":{"content":[{"type":"text","text":"#);
            json_escape_simd::escape_into(&params.arguments.text, reply);
            reply.extend_from_slice(if modern { CALLED.as_bytes() } else { b"}]}}" });
        }
        "tools/list" | "resources/list" => reply.extend_from_slice(tools.as_bytes()),
        "initialize" => reply.extend_from_slice(INITIALIZED.as_bytes()),
        _ => reply.extend_from_slice(br#""error":{"code":-32601,"message":"method not found"}}"#),
    }
    reply.push(b'\n');
    Ok(())
}

const CALLED: &str = concat!(
    r#"}],"resultType":"complete","#,
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"0.1.0"}}}}"#
);
const ASKED: &str = concat!(
    r#","requestedSchema":{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}}}},"#,
    r#""requestState":"1","#,
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"0.1.0"}}}}"#
);
const INITIALIZED: &str = concat!(
    r#""result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"#,
    r#""serverInfo":{"name":"bench","version":"0.1.0"}}}"#
);

/// Returns the part of the reply to `tools/list` after the id.
pub(crate) fn tools(all: bool) -> String {
    let mut names: Vec<&str> = Vec::new();
    macro_rules! push { ($($name:ident)*) => { names.extend([$(stringify!($name)),*]) } }
    if all {
        with_99_names!(push);
    }
    let find: String = names.iter().map(|name| format!(r#",{{"name":"{name}",{FIND}"#)).collect();
    format!(
        r#""result":{{"resultType":"complete","tools":[{{"name":"echo",{ECHO}{find}],"ttlMs":0,"cacheScope":"public",{SERVER}"#
    )
}

/// Returns the part of the reply to `resources/list` after the id.
#[allow(dead_code, reason = "only on stdio")]
pub(crate) fn resources() -> String {
    let resource = |number| {
        format!(
            r#"{{"uri":"test://numbers/{number}","name":"number-{number}","description":"A number.","mimeType":"text/plain"}}"#
        )
    };
    let resources: Vec<_> = (0..1_000).map(resource).collect();
    format!(
        r#""result":{{"resultType":"complete","resources":[{}],"ttlMs":0,"cacheScope":"public",{SERVER}"#,
        resources.join(",")
    )
}

const SERVER: &str = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"0.1.0"}}}}"#;
const ECHO: &str = concat!(
    r#""description":"Give the text back.","inputSchema":{"type":"object","properties":{"#,
    r#""text":{"type":"string","description":"The text to give back."}},"required":["text"]}}"#
);
const FIND: &str = concat!(
    r#""description":"Find places that match a query, in the order of how well they match.","#,
    r#""inputSchema":{"type":"object","properties":{"query":{"type":"string","#,
    r#""description":"What to look for: words, or a regular expression between slashes."},"#,
    r#""folder":{"type":["string","null"],"description":"The folder to look in, relative to the root."},"#,
    r#""limit":{"type":"integer","format":"uint32","minimum":0,"#,
    r#""description":"How many matches to give back at most."}},"required":["query","limit"]}}"#
);

#[derive(Deserialize)]
pub(crate) struct Request<'a> {
    #[serde(borrow, rename = "jsonrpc")]
    _jsonrpc: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) method: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) params: Params<'a>,
}

#[derive(Deserialize, Default)]
pub(crate) struct Params<'a> {
    #[serde(borrow, default)]
    pub(crate) name: Cow<'a, str>,
    #[serde(borrow, default, rename = "inputResponses")]
    pub(crate) input_responses: Option<Responses<'a>>,
    #[serde(borrow, rename = "requestState")]
    _request_state: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) arguments: Arguments<'a>,
    #[serde(borrow, default, rename = "_meta")]
    pub(crate) meta: Meta<'a>,
}

#[derive(Deserialize)]
pub(crate) struct Responses<'a> {
    #[serde(borrow, rename = "sure")]
    _sure: &'a RawValue,
}

#[derive(Deserialize, Default)]
pub(crate) struct Arguments<'a> {
    #[serde(borrow, default)]
    pub(crate) text: Cow<'a, str>,
    #[allow(dead_code, reason = "over HTTP calls may wait")]
    #[serde(default)]
    pub(crate) milliseconds: u64,
}

#[derive(Deserialize, Default)]
pub(crate) struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    pub(crate) protocol_version: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    _capabilities: Option<&'a RawValue>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientInfo")]
    _client: Option<Client<'a>>,
}

#[derive(Deserialize)]
struct Client<'a> {
    #[serde(borrow, rename = "name")]
    _name: Cow<'a, str>,
    #[serde(borrow, rename = "version")]
    _version: Cow<'a, str>,
}
