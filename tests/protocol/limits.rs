//! Input that is too large, too deep or unusual gets an answer, and the connection stays usable.

use mcp_runtime::{Revision, Service};
use serde_json::{Value, json};

use crate::protocol::{client::Client, server, service};

const REVISIONS: [Revision; 3] = [Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2026_07_28];

#[tokio::test]
async fn limits_the_size_of_a_message() {
    let service: Service = server().0.max_message_size(2000).build().unwrap();
    for revision in REVISIONS {
        let mut client = Client::open(&service, revision).await;
        let of_size = |size: usize| {
            let empty = client.message(&json!(7), "tools/call", json!({ "name": "echo", "arguments": { "text": "" } }));
            empty
                .to_string()
                .replace(r#""text":"""#, &format!(r#""text":"{}""#, "x".repeat(size - empty.to_string().len())))
        };
        let (fits, too_large) = (of_size(2000), of_size(2001));
        assert_eq!((fits.len(), too_large.len()), (2000, 2001));

        client.send(&fits).await;
        assert!(client.response(&json!(7)).await["result"]["content"][0]["text"].as_str().unwrap().len() > 1500);
        client.expect(&json!(7), &too_large);
        client.wire.send(&too_large).await;
        let response = client.next_response().await;
        assert_eq!(response["error"]["code"], -32600);
        assert!(response["error"]["message"].as_str().unwrap().contains("2000"), "{response}");
        assert_eq!(response["id"], json!(7), "{response}");
        client.works().await;
    }
}

#[tokio::test]
async fn the_default_limit_is_four_mebibytes() {
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    let text = "é".repeat(2_000_000);
    let result = client.call("echo", json!({ "text": text })).await;
    assert_eq!(result["content"][0]["text"].as_str().unwrap().len(), 4_000_000);
    client.wire.send(&format!(r#"{{"x":"{}"}}"#, "x".repeat(4 << 20))).await;
    assert_eq!(client.next_response().await["error"]["code"], -32600);
    client.works().await;
}

#[tokio::test]
async fn survives_deep_nesting() {
    let deep = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        for value in [deep("[", "]"), deep(r#"{"a":"#, "}").replacen("{\"a\":}", "{}", 1)] {
            let call = |params: Value| client.message(&json!("deep"), "tools/call", params).to_string();
            let texts = [
                call(json!({ "name": "echo", "arguments": { "text": "HERE" } })),
                call(json!({ "name": "echo", "arguments": { "text": "x", "more": "HERE" } })),
                call(
                    json!({ "name": "everything", "arguments": { "any": "HERE", "tree": { "name": "" }, "map": {} } }),
                ),
                call(json!({ "name": "echo", "arguments": { "text": "x" }, "other": "HERE" })),
                call(json!({ "name": "HERE" })),
                call(json!({ "name": "echo", "_meta": { "x": "HERE" }, "arguments": { "text": "x" } })),
                r#"{"jsonrpc":"2.0","id":"deep","x":"HERE","method":"no/such"}"#.to_owned(),
                r#"{"jsonrpc":"2.0","id":"deep","method":"HERE"}"#.to_owned(),
            ];
            for text in texts {
                client.expect(&json!("deep"), &text);
                client.wire.send(&text.replace(r#""HERE""#, &value)).await;
                let response = client.next_response().await;
                if response.get("id").is_none() {
                    assert_eq!(response["error"]["code"], -32700, "{text}: {response}");
                    client.forget(&json!("deep"));
                }
                assert_ne!(response["error"]["code"], -32603, "{text}: {response}");
            }
            // Also if the id itself is nested too deeply.
            for text in [format!(r#"{{"jsonrpc":"2.0","id":{value},"method":"ping"}}"#), deep("[", ""), deep("[", "]")]
            {
                client.wire.send(&text).await;
                let message = client.next_response().await;
                let errors = message.as_array().cloned().unwrap_or(vec![message]);
                assert!(errors[0]["error"]["code"] == -32600 || errors[0]["error"]["code"] == -32700);
            }
        }
        client.works().await;
    }
}

#[tokio::test]
async fn survives_numbers_of_any_size() {
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        let many_digits = "9".repeat(100_000);
        for number in
            ["1e400", "-1e400", "1e-400", "9223372036854775808", "-9223372036854775809", &many_digits, "1e999999999"]
        {
            for (tool, arguments) in [
                ("add", r#"{"a":HERE}"#),
                ("everything", r#"{"any":HERE,"tree":{"name":""},"map":{}}"#),
                ("everything", r#"{"any":1,"tree":{"name":""},"map":{"x":[HERE]}}"#),
                ("everything", r#"{"any":1,"tree":{"name":""},"map":{},"maybe":HERE}"#),
            ] {
                let text =
                    client.message(&json!(1), "tools/call", json!({ "name": tool, "arguments": "HERE" })).to_string();
                client.expect(&json!(1), &text);
                client.wire.send(&text.replace(r#""HERE""#, &arguments.replace("HERE", number))).await;
                let response = client.next_response().await;
                assert!(response["result"]["content"].is_array(), "{tool} {arguments} {number}: {response}");
            }
        }
        // A number that does not fit into an `i64` is invalid for `add`, and the model gets the reason.
        let text =
            client.message(&json!(1), "tools/call", json!({ "name": "add", "arguments": { "a": "HERE" } })).to_string();
        client.expect(&json!(1), &text);
        client.wire.send(&text.replace(r#""HERE""#, "9223372036854775808")).await;
        assert_eq!(client.next_response().await["result"]["isError"], true);
        client.works().await;
    }
}

#[tokio::test]
async fn rejects_half_a_surrogate_pair_in_used_members() {
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        let call = client
            .message(&json!(1), "tools/call", json!({ "name": "echo", "arguments": { "text": "HERE" } }))
            .to_string();
        for half in [r"\ud800", r"\udc00", r"\ud800\ud800", r"a\ud83dz"] {
            client.expect(&json!(1), &call);
            client.wire.send(&call.replace("HERE", half)).await;
            assert_eq!(client.next_response().await["result"]["isError"], true, "{half}");

            client.expect(&json!(1), &call);
            client.wire.send(&call.replace(r#""name":"echo""#, &format!(r#""name":"{half}""#))).await;
            assert_eq!(client.next_response().await["error"]["code"], -32602, "{half}");

            client.expect(&json!(1), &call);
            client.wire.send(&call.replace("tools/call", half)).await;
            assert_eq!(client.next_response().await["error"]["code"], -32600, "{half}");
        }
        client.expect(&json!(1), &call);
        client.wire.send(&call.replace("HERE", r"\ud83d\ude00")).await;
        assert_eq!(client.next_response().await["result"]["content"][0]["text"], "😀");
        client.works().await;
    }
}
