//! Credentials appear in no output.

use mcp_runtime::openapi;
use serde_json::json;
use wiremock::ResponseTemplate;

use super::{KEY, api, called, server, service};

#[tokio::test]
async fn an_error_hides_a_credential_that_the_service_repeats() {
    let said = format!("the key {KEY} is not valid");
    for answer in [
        ResponseTemplate::new(401).set_body_json(json!({ "message": said })),
        ResponseTemplate::new(401).set_body_string(said.clone()),
        ResponseTemplate::new(200).set_body_string(said.clone()),
        ResponseTemplate::new(200).set_body_json(json!({ "name": 1, "said": said })),
        ResponseTemplate::new(200).set_body_raw(format!("<html><title>{said}</title>"), "text/html"),
    ] {
        let server = server(answer).await;
        let (failed, text) = called(api(&server.uri()), "find_parts", json!({})).await;
        assert!(failed && text.contains("***") && !text.contains(KEY), "{text}");
    }
}

#[tokio::test]
async fn a_result_hides_a_credential_that_the_service_repeats() {
    let answer = ResponseTemplate::new(200).set_body_json(json!({ "name": KEY }));
    let server = server(answer).await;
    assert_eq!(called(api(&server.uri()), "find_parts", json!({})).await, (false, "{\"name\":\"***\"}".to_owned()));
}

#[tokio::test]
async fn a_result_and_an_error_hide_a_credential_in_another_form() {
    let api = |url: &str| {
        let api = openapi!("api.json").base_url(url).credential("query_key", "abc+def/ghi==0123".to_owned());
        api.credential("login", "ann:correct-horse".to_owned())
    };
    let location = "https://cdn.example/x?key=abc%2Bdef%2Fghi%3D%3D0123";
    for (status, tool) in [(302, "get_photo"), (302, "get_part")] {
        let server = server(ResponseTemplate::new(status).insert_header("location", location)).await;
        let (_, text) = called(api(&server.uri()), tool, json!({ "name": "nut" })).await;
        assert!(text.contains("`https://cdn.example/x?key=***`"), "{text}");
    }
    let body = r#"{"name":"abc\u002Bdef\/ghi==0123 \u00e9 Basic YW5uOmNvcnJlY3QtaG9yc2U= correct-horse","n":1.50}"#;
    for (body, expected) in [
        (body.to_owned(), r#"{"name":"*** é Basic *** ***","n":1.50}"#),
        (body.replace("\"name\"", "\"size\""), r#"{"size":"*** é Basic *** ***","n":1.50}"#),
    ] {
        let server = server(ResponseTemplate::new(200).set_body_raw(body, "application/json")).await;
        let (_, text) = called(api(&server.uri()), "find_parts", json!({})).await;
        assert!(text.ends_with(expected), "{text}");
    }
}

#[tokio::test]
async fn a_credential_that_the_service_repeats_as_a_number_is_an_error() {
    let body = json!({ "name": "nut", "size": 123_456_789_012_u64 });
    let server = server(ResponseTemplate::new(200).set_body_json(body)).await;
    let api = openapi!("api.json").base_url(server.uri()).credential("token", "123456789012".to_owned());
    let (failed, text) = called(api, "find_parts", json!({})).await;
    assert!(failed && text.contains("its JSON has a credential that is not text"), "{text}");
    assert!(text.contains("***") && !text.contains("123456789012"), "{text}");
}

#[tokio::test]
async fn an_unreachable_service_does_not_show_a_key_in_the_query() {
    let api = openapi!("api.json").base_url("http://127.0.0.1:9").retries(0).credential("query_key", KEY.to_owned());
    let (failed, text) = called(api, "find_parts", json!({})).await;
    assert!(failed && !text.contains(KEY), "{text}");
}

#[test]
fn debug_and_the_manifest_show_no_credential() {
    let api = api("http://127.0.0.1:9");
    let shown = format!("{api:?} {api:#?}");
    assert!(shown.contains("***") && !shown.contains(KEY), "{shown}");
    assert!(!service(api).manifest().to_string().contains(KEY));
}

#[tokio::test]
async fn a_missing_credential_is_told_with_its_variable() {
    let api = openapi!("api.json").base_url("http://127.0.0.1:9");
    let (failed, text) = called(api, "find_parts", json!({})).await;
    assert!(failed);
    assert_eq!(
        text,
        "`Parts` needs a credential that this server does not have: its operator must set `API_KEY`, or `API_QUERY_KEY`, \
         or `API_LOGIN`, or `API_TOKEN`"
    );
}
