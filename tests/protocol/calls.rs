//! `tools/call`: errors of a call, and who gets them.

use mcp_runtime::{Revision, Server, ToolError};
use serde_json::{Value, json};

use crate::protocol::{client::Client, server, service};

async fn clients() -> Vec<Client> {
    let service = service();
    let mut clients = Vec::new();
    for revision in Revision::ALL {
        clients.push(Client::open(&service, revision).await);
    }
    clients
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error() {
    for mut client in clients().await {
        for name in ["no_such", "", "Echo", "echo ", "probe/echo", "écho"] {
            let error = client.error("tools/call", json!({ "name": name, "arguments": {} })).await;
            assert_eq!(error, json!({ "code": -32602, "message": format!("Unknown tool: {name}") }));
        }
        // Long input of a client is shortened.
        let error = client.error("tools/call", json!({ "name": "x".repeat(10_000) })).await;
        assert!(error["message"].as_str().unwrap().len() < 200);
        client.works().await;
    }
}

#[tokio::test]
async fn tells_the_model_about_wrong_arguments() {
    for mut client in clients().await {
        for (tool, arguments, culprits) in [
            ("echo", json!({}), vec!["text"]),
            ("echo", json!({ "text": 7 }), vec!["text", "7", "string"]),
            ("echo", json!({ "text": null }), vec!["text", "null"]),
            ("add", json!({ "a": "one", "b": 1.5 }), vec!["`a`", "`b`", "1.5"]),
            ("add", json!({ "a": 9.3e18 }), vec!["`a`"]),
            (
                "everything",
                json!({ "any": 1, "tree": { "name": "t", "children": [{ "name": 4 }] }, "map": {} }),
                vec!["tree", "children", "name"],
            ),
            ("everything", json!({ "any": 1, "tree": ["t", []], "map": { "x": [256] } }), vec!["tree", "map", "256"]),
        ] {
            let text = client.failed_call(tool, arguments.clone()).await;
            for culprit in culprits {
                assert!(text.contains(culprit), "{tool} {arguments}: {text} lacks {culprit}");
            }
        }
        client.works().await;
    }
}

#[tokio::test]
async fn accepts_absent_arguments() {
    for mut client in clients().await {
        let result = client.result("tools/call", json!({ "name": "gallery" })).await;
        assert_eq!(result["content"][0]["text"], "text");
        let result = client.result("tools/call", json!({ "name": "echo" })).await;
        assert_eq!(result["isError"], true);
    }
}

#[tokio::test]
async fn an_error_of_a_tool_is_a_result_with_its_sources() {
    for mut client in clients().await {
        let result = client.call("fail", json!({})).await;
        assert_eq!(result["content"], json!([{ "type": "text", "text": "nothing was saved: the disk is full" }]));
        assert_eq!(result["isError"], true);
        assert_eq!(client.failed_call("refuse", json!({ "text": "no \"\\\u{1}way" })).await, "no \"\\\u{1}way");
        // A call that did not fail does not say so.
        assert!(client.call("echo", json!({ "text": "x" })).await.get("isError").is_none());
    }
}

#[tokio::test]
async fn a_panic_ends_its_call_and_nothing_else() {
    for mut client in clients().await {
        for tool in ["panic_at_once", "panic_later", "unspeakable"] {
            let text = client.failed_call(tool, json!({})).await;
            assert!(text.contains(tool), "{text}");
            assert!(!text.contains("secret"), "the words of a panic are not for the model: {text}");
        }
        let text = client.failed_call("unreadable", json!({ "mine": "x" })).await;
        assert!(text.contains("unreadable") && !text.contains("secret"), "{text}");
        client.works().await;
    }
}

#[tokio::test]
async fn a_result_that_cannot_be_written_is_an_internal_error() {
    for mut client in clients().await {
        let error = client.error("tools/call", json!({ "name": "unserializable" })).await;
        assert_eq!(error["code"], -32603);
        assert!(!error["message"].as_str().unwrap().contains("secret"), "{error}");
        client.works().await;
    }
}

#[tokio::test]
async fn the_error_mapper_decides_what_a_client_gets() {
    let mapper = |error: &ToolError| match error.to_string().as_str() {
        "nothing was saved" => (true, "try again later".to_owned()),
        "fine" => (false, "all is well".to_owned()),
        "panic" => panic!("a secret"),
        _ => (true, format!("<{}>", error.chain())),
    };
    let service = Server::error_mapper(server().0, mapper).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::open(&service, revision).await;
        assert_eq!(client.failed_call("fail", json!({})).await, "try again later");
        assert_eq!(client.failed_call("refuse", json!({ "text": "so" })).await, "<so>");
        let result = client.call("refuse", json!({ "text": "fine" })).await;
        assert_eq!(result["content"][0]["text"], "all is well");
        assert_ne!(result["isError"], true);
        let text = client.failed_call("refuse", json!({ "text": "panic" })).await;
        assert!(!text.contains("secret"), "{text}");
        // The mapper is not called for errors of the protocol.
        assert!(client.failed_call("echo", json!({})).await.contains("text"));
        client.works().await;
    }
}

#[tokio::test]
async fn reads_arguments_of_every_shape() {
    for mut client in clients().await {
        let arguments = json!({
            "any": [1, { "a": null }, "\u{0}é😀\u{2028}"],
            "tree": { "name": "root", "children": [{ "name": "leaf", "children": [] }] },
            "map": { "x": [0, 255], "": [] },
            "maybe": -0.5,
        });
        let result = client.call("everything", arguments.clone()).await;
        let mirror: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(mirror, arguments);
        client.works().await;
    }
}
