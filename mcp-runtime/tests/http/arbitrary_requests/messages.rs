//! Random requests, most of them almost valid.

use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Value, json};

/// The methods of requests.
pub(super) const METHODS: &[&str] = &[
    "tools/call",
    "tools/list",
    "prompts/get",
    "prompts/list",
    "resources/read",
    "resources/list",
    "resources/templates/list",
    "resources/subscribe",
    "completion/complete",
    "initialize",
    "ping",
    "server/discover",
    "subscriptions/listen",
];

pub(super) fn with_head() -> impl Strategy<Value = Vec<u8>> {
    let methods = select(vec!["POST", "POST", "POST", "GET", "DELETE", "PUT", "OPTIONS", "HEAD", "X"]);
    let paths = select(vec!["/mcp", "/mcp", "/mcp", "/", "/mcp/", "/mcp?x=y", "http://localhost/mcp", "*"]);
    let usual = any::<[bool; 3]>();
    (methods, paths, usual, vec(header(), 0..6), body()).prop_map(|(method, path, usual, headers, body)| {
        let mut bytes = format!("h{method} {path}").into_bytes();
        let usually = [("host", "localhost"), ("content-type", "application/json"), ("accept", "*/*")];
        for ((name, value), is_there) in usually.into_iter().zip(usual) {
            if is_there {
                bytes.extend(format!("\n{name}:{value}").bytes());
            }
        }
        for (name, value) in headers {
            bytes.extend(format!("\n{name}:").bytes());
            bytes.extend(value.into_iter().filter(|byte| *byte != b'\n'));
        }
        bytes.extend(b"\n\n");
        bytes.extend(body);
        bytes
    })
}

pub(super) fn body() -> impl Strategy<Value = Vec<u8>> {
    let text = |value: Value| value.to_string().into_bytes();
    prop_oneof![
        6 => message().prop_map(text),
        1 => vec(message(), 0..4).prop_map(move |messages| text(messages.into())),
        1 => json_value().prop_map(text),
        1 => vec(any::<u8>(), 0..200),
        // Truncated, or with one byte changed.
        2 => (message(), any::<prop::sample::Index>(), any::<Option<u8>>()).prop_map(|(message, place, byte)| {
            let mut bytes = message.to_string().into_bytes();
            let place = place.index(bytes.len());
            match byte {
                Some(byte) => bytes[place] = byte,
                None => bytes.truncate(place),
            }
            bytes
        }),
    ]
}

/// Returns valid parameters of a request, without the `_meta` of 2026-07-28.
pub(super) fn params(method: &str, tool: &str) -> Value {
    match method {
        "initialize" => json!({
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" },
        }),
        "prompts/get" => json!({ "name": "plan", "arguments": { "to": "b", "days": "2" } }),
        "resources/read" | "resources/subscribe" => json!({ "uri": "notes://a/b#1" }),
        "completion/complete" => json!({
            "ref": { "type": "ref/resource", "uri": "notes://{folder}/{+path}{#part}" },
            "argument": { "name": "path", "value": "c" },
            "context": { "arguments": { "folder": "a" } },
        }),
        "subscriptions/listen" => json!({
            "notifications": { "toolsListChanged": true, "resourceSubscriptions": ["news://latest"] },
        }),
        _ => json!({ "name": tool, "arguments": { "a": 1, "b": 2, "text": "t" } }),
    }
}

/// Returns the `_meta` of a request in 2026-07-28.
pub(super) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/logLevel": "debug",
    })
}

fn header() -> impl Strategy<Value = (String, Vec<u8>)> {
    let names = vec![
        "host",
        "origin",
        "content-type",
        "accept",
        "mcp-session-id",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-param-a",
        "last-event-id",
        "idempotency-key",
        "content-length",
        "authorization",
        "expect",
        "connection",
    ];
    let values = vec![
        "localhost",
        "evil.example",
        "http://localhost",
        "null",
        "application/json",
        "text/event-stream",
        "*/*",
        "",
        "2026-07-28",
        "2025-11-25",
        "tools/call",
        "tools/list",
        "add",
        "book",
        "1",
        "=?base64?YQ==?=",
        "Bearer x",
    ];
    let value = prop_oneof![
        4 => select(values).prop_map(|value| value.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..20),
    ];
    (select(names).prop_map(str::to_owned), value)
}

/// Generates an object that is similar to a request. Each member can have any value.
fn message() -> impl Strategy<Value = Value> {
    let methods = prop_oneof![1 => Just("tools/call"), 4 => select(METHODS)];
    let tools = select(vec!["add", "speak", "book", "fly"]);
    let spoiled = option::weighted(0.4, (word(), json_value()));
    (any::<i32>(), methods, tools, json_value(), any::<bool>(), spoiled, option::weighted(0.3, (word(), json_value())))
        .prop_map(|(id, method, tool, more, is_modern, spoiled, spoiled_params)| {
            let mut params = params(method, tool);
            if is_modern {
                params["_meta"] = meta();
                params["_meta"]["progressToken"] = more;
            } else if id % 4 == 0 {
                params["arguments"] = more;
            }
            if let Some((name, value)) = spoiled_params {
                params[name] = value;
            }
            let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            if let Some((name, value)) = spoiled {
                message[name] = value;
            }
            message
        })
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((word(), inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Generates a word that has a meaning in some part of the protocol.
fn word() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "2.0",
        "id",
        "method",
        "params",
        "name",
        "arguments",
        "_meta",
        "progressToken",
        "requestId",
        "cursor",
        "a",
        "b",
        "resources/unsubscribe",
        "notifications/cancelled",
        "notifications/initialized",
        "notifications",
        "toolsListChanged",
        "resourceSubscriptions",
        "logging/setLevel",
        "uri",
        "news://latest",
        "notes://a/b",
        "notes://a/c%2Fd#1",
        "ref",
        "ref/prompt",
        "ref/resource",
        "type",
        "argument",
        "value",
        "context",
        "plan",
        "to",
        "path",
        "add",
        "speak",
        "book",
        "2026-07-28",
        "2025-11-25",
        "inputResponses",
        "requestState",
        "info",
        "seat",
        "action",
        "accept",
        "content",
        "result",
        "error",
        "io.modelcontextprotocol/protocolVersion",
        "io.modelcontextprotocol/clientInfo",
        "io.modelcontextprotocol/clientCapabilities",
        "io.modelcontextprotocol/logLevel",
        "idempotency-key",
    ];
    prop_oneof![1 => select(METHODS), 4 => select(WORDS)].prop_map(str::to_owned)
}
