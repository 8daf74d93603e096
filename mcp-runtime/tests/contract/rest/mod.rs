//! The endpoint for REST.

mod bodies;
mod documents;
mod errors;
mod inputs;
mod routes;

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request},
};
use http_body_util::BodyExt as _;
use mcp_runtime::contract::rest;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::contract::notes::contract;

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Checks that this is a problem document with this status, and returns its detail.
    fn problem(&self, status: u16) -> String {
        assert_eq!(
            (self.status, self.header("content-type")),
            (status, Some("application/problem+json")),
            "{}",
            self.body
        );
        let problem = self.json();
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], "about:blank");
        assert!(problem["title"].is_string());
        problem["detail"].as_str().unwrap_or_default().to_owned()
    }
}

fn app() -> Router {
    app_with(rest::Options::new())
}

fn app_with(options: rest::Options) -> Router {
    rest::mount(Router::new(), contract(), options).unwrap().fallback(rest::not_found)
}

/// Sends a request such as `POST /todos` with a JSON body.
async fn send(app: &Router, line: &str, body: &str) -> Reply {
    let (verb, uri) = line.split_once(' ').unwrap();
    let mut request = Request::builder().method(verb).uri(uri);
    if !body.is_empty() {
        request = request.header("content-type", "application/json");
    }
    reply(app, request.body(Body::from(body.to_owned())).unwrap()).await
}

async fn reply(app: &Router, mut request: Request<Body>) -> Reply {
    request.headers_mut().entry("host").or_insert_with(|| "localhost".parse().unwrap());
    let (parts, body) = app.clone().oneshot(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Reply { status: parts.status.as_u16(), headers: parts.headers, body: String::from_utf8(body.to_vec()).unwrap() }
}
