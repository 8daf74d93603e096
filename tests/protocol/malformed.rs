//! Invalid messages get the right error, and the next request works.

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::protocol::{client::Client, service};

const REVISIONS: [Revision; 3] = [Revision::V2024_11_05, Revision::V2025_11_25, Revision::V2026_07_28];

#[tokio::test]
async fn invalid_json_is_a_parse_error() {
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        for text in [
            "{",
            "}",
            "hello",
            "{'jsonrpc':'2.0'}",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            r#"{"jsonrpc":"2.0","id":01,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"pi"#,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\u{1}b\"}",
            "\u{feff}{}",
            "nul",
            "NaN",
        ] {
            client.wire.send(text).await;
            let response = client.next_response().await;
            assert_eq!(response["error"]["code"], -32700, "{text}");
            assert!(response.get("id").is_none());
        }
        client.works().await;
    }
}

#[tokio::test]
async fn ignores_an_empty_line() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    for text in ["", " ", "\t \r"] {
        client.send(text).await;
    }
    client.works().await;
}

#[tokio::test]
async fn json_other_than_a_message_is_an_invalid_request() {
    let echoed = |id| (true, id);
    let unread = (false, Value::Null);
    for (text, (has_id, id)) in [
        ("1", unread.clone()),
        ("null", unread.clone()),
        (r#""ping""#, unread.clone()),
        ("{}", unread.clone()),
        (r#"{"id":1,"method":"ping"}"#, echoed(json!(1))),
        (r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, echoed(json!(1))),
        (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, echoed(json!("a"))),
        (r#"{"jsonrpc":null,"id":1,"method":"ping"}"#, echoed(json!(1))),
        (r#"{"jsonrpc":"2.0","id":1}"#, echoed(json!(1))),
        (r#"{"jsonrpc":"2.0","id":1,"method":null}"#, echoed(json!(1))),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, echoed(json!(1))),
        (r#"{"jsonrpc":"2.0","id":1,"method":["ping"]}"#, echoed(json!(1))),
        (r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}"#, echoed(json!(1))),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, unread.clone()),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#, unread.clone()),
    ] {
        for revision in REVISIONS {
            let mut client = Client::open(&service(), revision).await;
            if has_id {
                client.send(text).await;
            } else {
                client.wire.send(text).await;
            }
            let response = client.next_response().await;
            assert_eq!(response["error"]["code"], -32600, "{text}");
            assert_eq!(response.get("id"), has_id.then_some(&id), "{text}");
            client.works().await;
        }
    }
}

#[tokio::test]
async fn ignores_a_response_without_a_request() {
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-1,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null,"error":null}"#,
            r#"{"jsonrpc":"2.0","id":"s-1","error":{"code":-1,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-1,"message":"no"}}"#,
        ] {
            client.send(text).await;
        }
        client.works().await;
    }
}

#[tokio::test]
async fn a_notification_is_never_answered() {
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        for method in ["notifications/initialized", "notifications/cancelled", "no/such", "ping", "tools/call", ""] {
            for params in [r#""params":{}"#, r#""params":null"#, r#""params":[1]"#, r#""params":7"#, r#""x":1"#] {
                client.send(&format!(r#"{{"jsonrpc":"2.0","method":"{method}",{params}}}"#)).await;
            }
        }
        client.works().await;
    }
}

#[tokio::test]
async fn params_must_be_an_object() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    let positional = r#"[null,"echo",{"text":"x"},null,null,null,null,null,null,null,null,null,null]"#;
    for params in ["[]", "[1]", "7", r#""x""#, "true", positional] {
        for take in 1..=13 {
            let params = if params == positional { first_elements(positional, take) } else { params.to_owned() };
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            assert_eq!(client.refused(&text).await["code"], -32602, "{text}");
        }
    }
    // `null` counts as absent, as several clients write it.
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#).await;
    assert!(client.next_response().await.get("result").is_some());
    client.works().await;
}

fn first_elements(array: &str, count: usize) -> String {
    let elements: Vec<Value> = serde_json::from_str(array).unwrap();
    json!(elements[..count]).to_string()
}

#[tokio::test]
async fn meta_must_be_an_object() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    for meta in ["[]", "[null,{},null,null,null]", r#"["2026-07-28",{},null,null,null]"#, "7", r#""x""#] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{meta}}}}}"#);
        assert_eq!(client.refused(&text).await["code"], -32602, "{text}");
    }
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":null}}"#).await;
    assert!(client.next_response().await.get("result").is_some());
    client.works().await;
}

#[tokio::test]
async fn rejects_call_params_of_the_wrong_type() {
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        for (params, culprit) in [
            (json!({}), "name"),
            (json!({ "name": null }), "name"),
            (json!({ "name": 7 }), "name"),
            (json!({ "name": "echo", "arguments": [] }), "arguments"),
            (json!({ "name": "echo", "arguments": "{}" }), "arguments"),
            (json!({ "name": "echo", "arguments": 7 }), "arguments"),
            (json!({ "name": "echo", "_meta": { "progressToken": 1.5 } }), "progressToken"),
            (json!({ "name": "echo", "_meta": { "progressToken": {} } }), "progressToken"),
        ] {
            let request = client.message(&json!(1), "tools/call", params);
            let error = client.refused(&request.to_string()).await;
            assert_eq!(error["code"], -32602, "{request}");
            assert!(error["message"].as_str().unwrap().contains(culprit), "{error}");
        }
        client.works().await;
    }
}

#[tokio::test]
async fn rejects_duplicate_members() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    for params in [
        r#"{"name":"echo","name":"add","arguments":{"text":"x"}}"#,
        r#"{"name":"echo","arguments":{"text":"x"},"arguments":{"text":"y"}}"#,
        r#"{"name":"echo","_meta":{"progressToken":1,"progressToken":2}}"#,
        r#"{"name":"echo","_meta":{"example.com/a":1,"b":2,"example.com/\u0061":1}}"#,
        r#"{"name":"echo","_meta":{"progressToken":1},"_meta":{"b":2}}"#,
        r#"{"name":"echo","other":1,"b":2,"other":1}"#,
    ] {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        assert_eq!(client.refused(&text).await["code"], -32602, "{text}");
    }
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x","text":"y"}}}"#;
    client.send(text).await;
    assert_eq!(client.next_response().await["result"]["isError"], true, "which of them would be meant?");
    client.works().await;
}

#[tokio::test]
async fn errors_of_params_name_no_rust_types() {
    let prompt = json!({ "type": "ref/prompt", "name": "review" });
    let argument = json!({ "name": "code", "value": "x" });
    let service = crate::protocol::prompts::service();
    for revision in REVISIONS {
        let mut client = Client::open(&service, revision).await;
        let mut requests = Vec::new();
        for wrong in [json!(null), json!(7), json!("x"), json!([]), json!({}), json!(true)] {
            requests.push(("completion/complete", json!({ "ref": wrong, "argument": argument })));
            requests.push(("completion/complete", json!({ "ref": prompt, "argument": wrong })));
            requests.push(("completion/complete", json!({ "ref": prompt, "argument": argument, "context": wrong })));
            requests.push(("prompts/get", json!({ "name": "review", "arguments": wrong })));
            requests.push(("subscriptions/listen", json!({ "notifications": wrong })));
        }
        for (method, params) in requests {
            let request = client.message(&json!(1), method, params);
            client.send(&request.to_string()).await;
            let response = client.next_response().await;
            let message = response["error"]["message"].as_str().unwrap_or_default();
            let is_plain = !message.contains("struct ") && !message.contains("enum ");
            assert!(is_plain, "{request}: {response}");
        }
    }
}
