//! Inputs of a server: noise, corrupted messages, and unusual ones.

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};

/// Generates any text. Most of these texts are not messages.
pub(super) fn noise() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        vec(any::<u8>(), 0..60).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        vec(select(TOKENS), 0..25).prop_map(|tokens| tokens.concat()),
    ]
}

/// Generates a valid message and corrupts it one to three times.
pub(super) fn broken() -> impl Strategy<Value = String> {
    (select(good()), vec(accident(), 1..4)).prop_map(|(message, accidents)| {
        accidents.into_iter().fold(message.to_string(), |text, accident| accident.befall(&text))
    })
}

/// Generates JSON that is similar to a message. Its members can have any type, and can be duplicates.
pub(super) fn odd() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => odd_message().prop_map(|message| message.to_string()),
        1 => vec(prop_oneof![odd_message(), value()], 0..5).prop_map(|messages| Value::Array(messages).to_string()),
    ]
}

const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\"",
    "\\",
    "1",
    "-",
    "1e9",
    "null",
    "true",
    "\"jsonrpc\"",
    "\"2.0\"",
    "\"id\"",
    "\"method\"",
    "\"ping\"",
    "\"params\"",
    "\"x\"",
    "\\u0000",
    "\\ud800",
    "\u{0}",
    "é",
    "{\"jsonrpc\":\"2.0\",",
    "\"id\":1,",
    "\"method\":\"ping\"}",
    "0.5",
    "\"result\":{}",
];

fn good() -> Vec<Value> {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/logLevel": "info" });
    let initialize = json!({ "protocolVersion": "2025-03-26", "capabilities": { "roots": {} },
        "clientInfo": { "name": "c", "version": "1" } });
    let request = |id: Value, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let tree = json!({ "any": [1, null], "tree": { "name": "é" }, "map": { "a": [1] }, "maybe": 1.5 });
    vec![
        request(json!(1), "initialize", initialize),
        request(json!("a"), "ping", json!({})),
        request(json!(2), "tools/list", json!({})),
        request(json!(3), "tools/list", json!({ "_meta": meta, "cursor": "page-1" })),
        request(json!(4), "tools/call", call("echo", json!({ "text": "\u{1f600}\n\"" }))),
        request(json!(5), "tools/call", call("everything", tree)),
        request(json!(6), "tools/call", json!({ "name": "add", "arguments": { "a": 1 }, "_meta": meta })),
        request(json!(7), "tools/call", call("unserializable", json!({}))),
        request(json!(8), "logging/setLevel", json!({ "level": "debug" })),
        request(json!(9), "server/discover", json!({ "_meta": meta })),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "action": "accept" } }),
        json!([request(json!(10), "ping", json!({})), request(json!("b"), "tools/list", json!({}))]),
    ]
}

/// A corruption of a text. Positions and lengths are fractions of the length of the text.
#[derive(Clone, Debug)]
enum Accident {
    CutOff(f64),
    Lost(f64, f64),
    Inserted(f64, &'static str),
    Repeated(f64, f64),
    Replaced(f64, char),
}

fn accident() -> impl Strategy<Value = Accident> {
    let place = || 0.0..1.0;
    prop_oneof![
        place().prop_map(Accident::CutOff),
        (place(), 0.0..0.2).prop_map(|(at, length)| Accident::Lost(at, length)),
        (place(), select(TOKENS)).prop_map(|(at, token)| Accident::Inserted(at, token)),
        (place(), 0.0..0.3).prop_map(|(at, length)| Accident::Repeated(at, length)),
        (place(), prop_oneof![any::<char>(), select(vec!['"', '{', '}', ',', ':', '0', '\\'])])
            .prop_map(|(at, char)| Accident::Replaced(at, char)),
    ]
}

impl Accident {
    fn befall(&self, text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let place = |share: f64| ((chars.len() as f64 * share) as usize).min(chars.len());
        let text = |chars: &[char]| chars.iter().collect::<String>();
        match *self {
            Self::CutOff(at) => text(&chars[..place(at)]),
            Self::Lost(at, length) => text(&chars[..place(at)]) + &text(&chars[place(at + length)..]),
            Self::Inserted(at, token) => text(&chars[..place(at)]) + token + &text(&chars[place(at)..]),
            Self::Repeated(at, length) => text(&chars[..place(at + length)]) + &text(&chars[place(at)..]),
            Self::Replaced(at, char) => {
                let rest = chars.get(place(at) + 1..).unwrap_or_default();
                text(&chars[..place(at)]) + &char.to_string() + &text(rest)
            }
        }
    }
}

fn odd_message() -> impl Strategy<Value = Value> {
    let member = |name: &'static str, usual: Vec<Value>| {
        let value = prop_oneof![6 => select(usual), 1 => value()];
        proptest::option::weighted(0.85, value).prop_map(move |value| value.map(|value| (name, value)))
    };
    let methods = ["initialize", "ping", "tools/list", "tools/call", "server/discover", "logging/setLevel", "x"];
    let params = good().iter().filter_map(|message| message.get("params").cloned()).collect();
    let rare = |name: &'static str| {
        proptest::option::weighted(0.1, value()).prop_map(move |value| value.map(|value| (name, value)))
    };
    let members = (
        member("jsonrpc", vec![json!("2.0")]),
        member("id", vec![json!(1), json!("a"), json!(-7)]),
        member("method", methods.map(Value::from).to_vec()),
        member("params", params),
        rare("result"),
        rare("error"),
    );
    members.prop_map(|(a, b, c, d, e, f)| {
        [a, b, c, d, e, f].into_iter().flatten().map(|(name, value)| (name.to_owned(), value)).collect()
    })
}

/// Generates any JSON with a small depth.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((".{0,6}", inner), 0..3).prop_map(|members| members.into_iter().collect::<Value>()),
        ]
    })
}
