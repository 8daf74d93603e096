//! `resources/read`: contents, errors, questions and cancellation.

use std::time::Duration;

use serde_json::{Value, json};

use super::fixtures::{Numbered, echo, service};
use crate::protocol::{
    Revision,
    client::{Client, modern},
    schema,
    wire::Wire,
};
use mcp_runtime::prelude::*;

async fn read(client: &mut Client, uri: &str) -> Value {
    client.result("resources/read", json!({ "uri": uri })).await
}

#[tokio::test]
async fn variables_of_a_query_can_be_absent_and_have_any_order() {
    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    for (uri, text) in [
        ("docs://search/tea", "tea in any: None"),
        ("docs://search/tea?limit=3", "tea in any: Some(3)"),
        ("docs://search/tea?language=german&limit=3", "tea in German: Some(3)"),
        // Another name in the query does not match, so the template with `{+path}` is read.
        ("docs://search/tea?limits=3", "file search/tea?limits=3"),
    ] {
        assert_eq!(read(&mut client, uri).await["contents"][0]["text"], text, "{uri}");
    }
    let error = client.error("resources/read", json!({ "uri": "docs://search/tea?limit=x" })).await;
    assert_eq!(error["code"], -32602);
    assert!(error["message"].as_str().unwrap().contains("- `limit` must be"), "{error}");
    let params = json!({
        "ref": { "type": "ref/resource", "uri": "docs://search/{topic}{?limit,language}" },
        "argument": { "name": "limit", "value": "1" },
    });
    let completed = client.result("completion/complete", params).await;
    assert_eq!(completed["completion"]["values"], json!(["10"]));
}

#[tokio::test]
async fn all_revisions_read_text_bytes_json_and_several_parts() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let contents = |uri: &str, mime_type: &str, member: &str, value: &str| {
            let mut contents = json!({ "uri": uri, member: value });
            if !mime_type.is_empty() {
                contents["mimeType"] = json!(mime_type);
            }
            contents
        };
        for (uri, expected) in [
            ("docs://logo", vec![contents("docs://logo", "image/png", "blob", "iVBORw==")]),
            ("docs://pages/start", vec![contents("docs://pages/start", "text/markdown", "text", "# Start")]),
            ("docs://pages/a%2Fb%20c", vec![contents("docs://pages/a%2Fb%20c", "text/markdown", "text", "# Slash")]),
            ("docs://src/main.rs", vec![contents("docs://src/main.rs", "", "text", "file src/main.rs")]),
            (
                "docs://german/words/b%C3%A4r",
                vec![contents("docs://german/words/b%C3%A4r", "", "text", "bär in German")],
            ),
            ("docs://numbers", vec![contents("docs://numbers", "application/json", "text", "[1,2]")]),
            (
                "docs://license",
                vec![
                    contents("docs://license", "", "text", "all"),
                    contents("docs://seal", "image/gif", "blob", "AA=="),
                ],
            ),
            (
                "docs://license#7",
                vec![
                    contents("docs://license#7", "", "text", "section 7"),
                    contents("docs://seal", "image/gif", "blob", "AA=="),
                ],
            ),
        ] {
            let result = read(&mut client, uri).await;
            assert_eq!(result["contents"], json!(expected), "{revision} {uri}");
            client.notifications();
        }
        if revision.is_modern() {
            let hints = |result: &Value| (result["ttlMs"].clone(), result["cacheScope"].clone());
            assert_eq!(hints(&read(&mut client, "docs://logo").await), (json!(3_600_000), json!("public")));
            assert_eq!(hints(&read(&mut client, "docs://numbers").await), (json!(0), json!("private")));
        }
        client.works().await;
    }
}

#[tokio::test]
async fn a_read_can_log() {
    let mut client = Client::open(&service(), Revision::V2025_11_25).await;
    client.result("logging/setLevel", json!({ "level": "info" })).await;
    read(&mut client, "docs://pages/start").await;
    assert_eq!(client.told("notifications/message")[0]["data"], "reading");
}

#[tokio::test]
async fn an_unknown_resource_is_the_error_of_the_revision() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        for uri in ["docs:", "other://a", "letters://a/b", "docs://pages/missing", "fails://missing"] {
            let error = client.error("resources/read", json!({ "uri": uri })).await;
            let code = if revision.is_modern() { -32602 } else { -32002 };
            let message = format!("Unknown resource: {uri}");
            assert_eq!(error, json!({ "code": code, "message": message, "data": { "uri": uri } }), "{revision}");
        }
        client.notifications();
        client.works().await;
    }
}

#[tokio::test]
async fn params_and_variables_that_do_not_fit_are_errors() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let error = client.error("resources/read", json!({ "uri": "docs://french/words/chat" })).await;
        assert_eq!(error["code"], -32602);
        assert_eq!(
            error["message"],
            "invalid URI for the resource `word`:\n- `language` must be one of `german`, `english`, but got \"french\""
        );
        let error = client.error("resources/read", json!({ "uri": "docs://license#all" })).await;
        assert!(error["message"].as_str().unwrap().contains("`section` must be an integer from 0 to 255"), "{error}");
        for params in [json!({}), json!({ "uri": 7 }), json!({ "uri": null })] {
            let request = client.message(&json!("a"), "resources/read", params).to_string();
            let error = client.refused(&request).await;
            assert_eq!(error, json!({ "code": -32602, "message": "`uri` must be a string" }));
        }
        client.works().await;
    }
}

#[tokio::test]
async fn failures_are_errors_and_not_results() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        for (how, message) in [
            ("error", "the disk is gone"),
            ("panic", "internal error: the resource `fails` panicked"),
            ("sleep", "the resource `fails` did not finish within 50ms"),
        ] {
            let error = client.error("resources/read", json!({ "uri": format!("fails://{how}") })).await;
            assert_eq!(error, json!({ "code": -32603, "message": message }), "{revision}");
        }
        client.works().await;
    }
}

#[tokio::test]
async fn a_long_read_reports_progress_and_can_be_cancelled() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let id = client.begin("resources/read", json!({ "uri": "slow://", "_meta": { "progressToken": "t" } })).await;
        let told = client.next().await;
        assert_eq!((&told["method"], &told["params"]["progress"]), (&json!("notifications/progress"), &json!(1.0)));
        client.cancel(&id).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        client.works().await;
    }
}

#[tokio::test]
async fn a_resource_asks_its_user_in_rounds() {
    let mut wire = Wire::memory(&service());
    let request = |params: Value| {
        let params = modern(params, &json!({ "elicitation": {} }));
        json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params })
    };
    let asked = wire.exchange(request(json!({ "uri": "letters://Ann" }))).await["result"].take();
    schema::of(Revision::V2026_07_28).check("InputRequiredResult", &asked);
    let (key, question) = asked["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(question["params"]["message"], "About what?");
    let answers = json!({ key: { "action": "accept", "content": { "topic": "it snows" } } });
    let answer = |uri: &str| json!({ "uri": uri, "requestState": asked["requestState"], "inputResponses": answers });
    // A state belongs to the URI that was read.
    let refused = wire.exchange(request(answer("letters://Bob"))).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let got = wire.exchange(request(answer("letters://Ann"))).await;
    assert_eq!(got["result"]["contents"][0]["text"], "Dear Ann, it snows.", "{got}");

    let mut client = Client::open(&service(), Revision::V2026_07_28).await;
    let error = client.error("resources/read", json!({ "uri": "letters://Ann" })).await;
    assert_eq!(error["code"], -32021);
    assert_eq!(error["message"], "The resource `letter` needs a client that supports form elicitation");
}

#[tokio::test]
async fn a_resource_asks_its_user_in_a_session() {
    let mut wire = Wire::session_with_forms(&service()).await;
    let params = json!({ "uri": "letters://Ann" });
    let question = json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": params });
    let question = wire.exchange(question).await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let answer = json!({ "action": "accept", "content": { "topic": "it snows" } });
    let got = wire.exchange(json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer })).await;
    assert_eq!(got["result"]["contents"][0]["text"], "Dear Ann, it snows.");
}

#[tokio::test]
async fn the_fixed_uri_wins_and_then_the_template_with_the_most_text() {
    let server = Server::new("s", "1").resource(Numbered(1)).tools(tools![echo]);
    let server = server.resources(resources![rest, number, one_of]).build().unwrap();
    let mut client = Client::open(&server, Revision::V2026_07_28).await;
    for (uri, text) in [
        ("test://numbers/1", "test://numbers/1"),
        ("test://numbers/2", "number 2"),
        ("test://numbers/2/3", "rest numbers/2/3"),
        ("test://words/2", "one of words"),
        ("test://words/2/3", "rest words/2/3"),
    ] {
        assert_eq!(read(&mut client, uri).await["contents"][0]["text"], text, "{uri}");
    }
}

/// The rest.
#[mcp_resource("test://{+path}")]
async fn rest(path: String) -> String {
    format!("rest {path}")
}

/// A number.
#[mcp_resource("test://numbers/{number}")]
async fn number(number: u32) -> String {
    format!("number {number}")
}

/// One of a kind.
#[mcp_resource("test://{kind}/{one}")]
async fn one_of(kind: String, one: String) -> String {
    drop(one);
    format!("one of {kind}")
}
