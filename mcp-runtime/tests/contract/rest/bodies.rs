//! Bodies that the endpoint does not accept. After each, the next request works.

use axum::{
    body::{Body, Bytes},
    http::Request,
};
use mcp_runtime::contract::rest;

use super::{app, app_with, reply, send};

fn post(content_type: Option<&str>, body: impl Into<Body>) -> Request<Body> {
    let request = Request::post("/notes");
    let request = content_type.into_iter().fold(request, |request, ty| request.header("content-type", ty));
    request.body(body.into()).unwrap()
}

#[tokio::test]
async fn max_body_size_limits_the_body() {
    let app = app_with(rest::Options::new().max_body_size(32));
    let long = format!(r#"{{"title": "{}"}}"#, "x".repeat(40));
    let detail = reply(&app, post(Some("application/json"), long)).await.problem(413);
    assert_eq!(detail, "the body must have at most 32 bytes");
    assert_eq!(send(&app, "POST /notes", r#"{"title": "milk"}"#).await.status, 201);
}

#[tokio::test]
async fn a_wrong_content_type_is_refused() {
    let app = app();
    for ty in
        [None, Some("text/plain"), Some("application/x-www-form-urlencoded"), Some("application/jsonx"), Some("é")]
    {
        let detail = reply(&app, post(ty, r#"{"title": "milk"}"#)).await.problem(415);
        assert_eq!(detail, "the body must be JSON; send `Content-Type: application/json`", "{ty:?}");
    }
    for (index, ty) in
        ["application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"].iter().enumerate()
    {
        let body = format!(r#"{{"title": "milk {index}"}}"#);
        assert_eq!(reply(&app, post(Some(ty), body)).await.status, 201, "{ty}");
    }
}

#[tokio::test]
async fn a_truncated_body_is_refused() {
    let app = app();
    let pieces = [Ok(Bytes::from_static(br#"{"title": "#)), Err(std::io::Error::other("the client left"))];
    let broken = Body::new(crate::contract::pieces::Pieces::from(pieces));
    let detail = reply(&app, post(Some("application/json"), broken)).await.problem(400);
    assert_eq!(detail, "the body of the request is incomplete");
    for text in [r#"{"title": "#, "{", "{]", "{} x", "\u{feff}{}"] {
        let detail = reply(&app, post(Some("application/json"), text.to_owned())).await.problem(400);
        assert!(detail.starts_with("the input is not JSON"), "{text}: {detail}");
    }
    let detail = reply(&app, post(Some("application/json"), vec![b'"', 0xff, b'"'])).await.problem(400);
    assert_eq!(detail, "the body is not UTF-8");
    assert_eq!(send(&app, "POST /notes", r#"{"title": "milk"}"#).await.status, 201);
}

#[tokio::test]
async fn a_deep_body_is_refused() {
    let deep = format!(r#"{{"title": {}{}}}"#, "[".repeat(200_000), "]".repeat(200_000));
    let reply = reply(&app(), post(Some("application/json"), deep)).await;
    assert!([400, 422].contains(&reply.status), "{}", reply.body);
}
