//! Ids of requests are strings or integers. The server returns them unchanged.

use mcp_runtime::Revision;
use serde_json::json;

use crate::protocol::{client::Client, service, service_and_gate};

const REVISIONS: [Revision; 3] = [Revision::V2024_11_05, Revision::V2025_11_25, Revision::V2026_07_28];

#[tokio::test]
async fn returns_ids_unchanged() {
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        for id in [
            json!(0),
            json!(-1),
            json!(i64::MAX),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(""),
            json!("1"),
            json!("\"\\\n\t\u{0}\u{7f}\u{2028}é😀"),
            json!("x".repeat(10_000)),
        ] {
            client.send(&client.message(&id, "tools/list", json!({})).to_string()).await;
            assert_eq!(client.next_response().await["id"], id);
            client.send(&client.message(&id, "no/such", json!({})).to_string()).await;
            assert_eq!(client.next_response().await["id"], id);
        }
        client.works().await;
    }
}

#[tokio::test]
async fn two_escapes_of_one_string_are_one_id() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, Revision::V2025_11_25).await;
    let hold = r#"{"jsonrpc":"2.0","id":"\u0041\/","method":"tools/call","params":{"name":"hold"}}"#;
    client.send(hold).await;
    gate.wait_for(1).await;
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"A/"}}"#).await;
    gate.wait_for(0).await;
    client.forget(&json!("A/"));
    client.works().await;
}

#[tokio::test]
async fn a_string_and_a_number_are_two_ids() {
    let (service, gate) = service_and_gate();
    let mut client = Client::open(&service, Revision::V2025_11_25).await;
    for id in [json!(7), json!("7")] {
        client.send(&client.message(&id, "tools/call", json!({ "name": "hold" })).to_string()).await;
    }
    gate.wait_for(2).await;
    client.cancel(&json!("7")).await;
    gate.wait_for(1).await;
    gate.release(1);
    client.response(&json!(7)).await;
}

#[tokio::test]
async fn an_integer_with_a_fraction_is_an_integer() {
    for revision in REVISIONS {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let request = |client: &Client, written: &str, method: &str, params| {
            let request = client.message(&json!(0), method, params).to_string();
            request.replacen(r#""id":0"#, &format!(r#""id":{written}"#), 1)
        };
        for (written, id) in [("71.0", 71), ("-7.2e1", -72), ("1e3", 1000)] {
            client.wire.send(&request(&client, written, "tools/list", json!({}))).await;
            // The text of an id matters, because some clients compare it.
            let response = client.wire.receive().await.unwrap();
            assert!(response.contains(&format!(r#""id":{id},"#)), "{response}");
        }
        // A notification can write the id of its request in another way.
        client.wire.send(&request(&client, "5.0", "tools/call", json!({ "name": "hold" }))).await;
        gate.wait_for(1).await;
        client.wire.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#).await;
        gate.wait_for(0).await;
        client.works().await;
    }
}

#[tokio::test]
async fn rejects_an_id_other_than_string_or_integer() {
    for revision in REVISIONS {
        let mut client = Client::open(&service(), revision).await;
        for id in ["null", "1.5", "1e-3", "1e400", "true", "[]", "[1]", "{}", r#""\ud800""#] {
            let request = client.message(&json!(0), "tools/list", json!({})).to_string().replacen(
                r#""id":0"#,
                &format!(r#""id":{id}"#),
                1,
            );
            client.wire.send(&request).await;
            let response = client.next_response().await;
            assert_eq!(response["error"]["code"], -32600, "{id}");
            assert!(response.get("id").is_none(), "{response}");
        }
        client.works().await;
    }
}

#[tokio::test]
async fn rejects_the_id_of_a_request_in_flight() {
    for revision in REVISIONS {
        let (service, gate) = service_and_gate();
        let mut client = Client::open(&service, revision).await;
        let id = json!("twice");
        let hold = client.message(&id, "tools/call", json!({ "name": "hold" })).to_string();
        let echo = client.message(&id, "tools/call", json!({ "name": "echo", "arguments": { "text": "x" } }));
        client.send(&hold).await;
        gate.wait_for(1).await;
        for again in [&hold, &echo.to_string()] {
            let error = client.refused(again).await;
            assert_eq!(error["code"], -32600);
            assert!(error["message"].as_str().unwrap().contains(r#""twice""#), "{error}");
            assert_eq!((gate.running(), gate.most()), (1, 1));
        }
        gate.release(1);
        assert_eq!(client.response(&id).await["result"]["content"][0]["text"], "let go");
        client.notifications();

        // Once it is answered, the id is free.
        client.send(&echo.to_string()).await;
        client.response(&id).await;
        client.works().await;
    }
}
