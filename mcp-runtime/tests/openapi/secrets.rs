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
