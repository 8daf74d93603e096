//! Errors of the service, as a model reads them.

use serde_json::json;
use wiremock::ResponseTemplate;

use super::{KEY, api, called, colors, requests, server, server_after};

fn status(status: u16) -> ResponseTemplate {
    ResponseTemplate::new(status)
}

#[tokio::test]
async fn an_error_has_the_status_what_the_service_says_and_what_to_do() {
    for (answer, expected) in [
        (status(404).set_body_json(json!({ "message": "no bolt" })), "404 Not Found: no bolt; check the ids and names"),
        (
            status(400).set_body_json(json!({ "error": { "message": "bad" } })),
            "400 Bad Request: bad; correct the arguments",
        ),
        (
            status(422).set_body_json(json!({ "title": "Invalid", "errors": [{ "field": "name" }] })),
            "422 Unprocessable Entity: Invalid: [{\"field\":\"name\"}]; correct the arguments",
        ),
        (status(403), "403 Forbidden; the credential of this server does not allow this"),
        (status(409).set_body_string("busy"), "409 Conflict: busy; the state of the service does not allow this"),
        (
            status(400).set_body_raw("<html><title>Bad gateway</title>…", "text/html"),
            "400 Bad Request: a page of HTML with the title `Bad gateway`; correct the arguments",
        ),
        (status(429).insert_header("retry-after", "3600"), "429 Too Many Requests; try again in 3600 seconds"),
    ] {
        let server = server(answer).await;
        let (failed, text) = called(api(&server.uri()), "get_part", json!({ "name": "bolt" })).await;
        let expected = format!("`GET /parts/{{name}}`: the service has answered {expected}");
        assert!(failed && text.starts_with(&expected), "{text}\n{expected}");
        assert_eq!(requests(&server).await.len(), 1, "{text}");
    }
}

#[tokio::test]
async fn a_request_is_repeated_if_it_has_had_no_effect_or_can_have_it_twice() {
    for (first, tool, expected) in [
        (status(429).insert_header("retry-after", "0"), "add_part", 2),
        (status(503).insert_header("retry-after", "0"), "add_part", 2),
        (status(503), "add_part", 1),
        (status(500), "add_part", 1),
        (status(500), "get_part", 2),
        (status(502), "get_part", 2),
        (status(501), "get_part", 1),
    ] {
        let server = server_after(first).await;
        let (failed, text) = called(api(&server.uri()), tool, json!({ "name": "bolt" })).await;
        assert_eq!((requests(&server).await.len(), failed), (expected, expected == 1), "{tool}: {text}");
    }
}

#[tokio::test]
async fn a_failure_tells_how_often_it_was_tried_and_whether_it_may_have_had_an_effect() {
    let server = server(status(500).set_body_string("down").insert_header("retry-after", "0")).await;
    let (_, text) = called(api(&server.uri()), "get_part", json!({ "name": "bolt" })).await;
    assert!(text.ends_with("500 Internal Server Error in 3 tries: down; try again later"), "{text}");
    let (_, text) = called(api(&server.uri()), "add_part", json!({ "name": "bolt" })).await;
    assert!(text.ends_with(": down; the request may have had an effect, so check that before you try again"), "{text}");
    let (_, text) = called(api(&server.uri()).retries(0), "get_part", json!({ "name": "bolt" })).await;
    assert!(text.ends_with("500 Internal Server Error: down; try again later"), "{text}");
}

#[tokio::test]
async fn an_answer_that_is_not_described_is_an_error_that_shows_it() {
    let raw = |body: &str, kind: &str| status(200).set_body_raw(body.to_owned(), kind);
    for (answer, expected) in [
        (
            raw("<html><title>Log in</title>", "text/html"),
            "with a page of HTML with the title `Log in`, instead of JSON",
        ),
        (raw("{\"name\":", "application/json"), "what it has answered is not JSON: "),
        (raw("", "application/json"), "with nothing, instead of JSON"),
        (
            raw("{\"name\":1}", "application/json"),
            "its JSON is not what its document describes:\n- `name`: got 1, must be a string\nIts JSON, which may still \
             help:\n{\"name\":1}",
        ),
        (status(200).set_body_raw([0xff, 0xfe], "image/png"), "with 2 bytes of `image/png`, which is not text"),
    ] {
        let server = server(answer).await;
        let (failed, text) = called(api(&server.uri()), "get_part", json!({ "name": "bolt" })).await;
        let expected = format!("`GET /parts/{{name}}`: the service has answered 200 OK, but {expected}");
        assert!(failed && text.starts_with(&expected), "{text}\n{expected}");
    }
}

#[tokio::test]
async fn html_is_a_result_if_the_document_describes_it() {
    let page = "<html><title>Red</title></html>";
    let html = |body: &str| status(200).set_body_raw(body.to_owned(), "text/html; charset=utf-8");
    for (answer, tool, expected) in [
        (html(page), "get_page", Ok(page)),
        (html(page), "get_text", Ok(page)),
        (html(r#"{"red":1}"#), "get_color", Ok(r#"{"red":1}"#)),
        (html(page), "get_color", Err("with a page of HTML with the title `Red`, instead of JSON")),
    ] {
        let server = server(answer).await;
        let (failed, text) = called(colors(&server.uri()), tool, json!({})).await;
        match expected {
            Ok(expected) => assert_eq!((failed, text.as_str()), (false, expected)),
            Err(expected) => assert!(failed && text.ends_with(expected), "{text}"),
        }
    }
}

#[tokio::test]
async fn only_redirects_inside_of_the_origin_are_followed() {
    let other = server(super::part()).await;
    let inside = server_after(status(307).insert_header("location", "/v1/parts/nut")).await;
    let (failed, text) = called(api(&inside.uri()), "get_part", json!({ "name": "bolt" })).await;
    assert!(!failed, "{text}");
    let outside = server(status(307).insert_header("location", format!("{}/parts", other.uri()))).await;
    let (failed, text) = called(api(&outside.uri()), "find_parts", json!({})).await;
    let expected = format!("307 Temporary Redirect; it redirects to `{}/parts`, which is not followed", other.uri());
    assert!(failed && text.ends_with(&expected), "{text}");
    assert!(requests(&other).await.is_empty());
    assert_eq!(requests(&outside).await[0].headers["x-key"], KEY);
}

#[tokio::test]
async fn a_redirect_that_the_document_describes_is_a_result() {
    let other = server(super::part()).await;
    let location = format!("{}/photo?key={KEY}", other.uri());
    let server = server(status(302).insert_header("location", location)).await;
    let (failed, text) = called(api(&server.uri()), "get_photo", json!({ "name": "nut" })).await;
    let expected = format!("The service redirects to `{}/photo?key=***`, which is not followed.", other.uri());
    assert_eq!((failed, text), (false, expected));
    assert!(requests(&other).await.is_empty());
}
