//! What strangers get through JSON-RPC and REST, and what they can cause.

use std::time::{Duration, Instant};

use axum::{Router, body::Body, http::Request};
use http_body_util::BodyExt as _;
use mcp_runtime::{
    Result, Server, contract,
    contract::{Contract, jsonrpc, rest},
    layer::{self, CallInfo, Rejection},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tower::ServiceExt as _;

#[derive(Serialize, JsonSchema)]
struct Paper {
    id: String,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot store the paper")]
struct NotStored(#[source] std::io::Error);

struct Papers;

/// Papers.
#[contract(resource = "papers")]
impl Papers {
    /// Creates a paper.
    async fn create(&self, id: String) -> Paper {
        Paper { id }
    }

    /// Returns a paper.
    async fn get(&self, id: String) -> Paper {
        Paper { id }
    }

    /// Lists papers.
    async fn list(&self, filter: Option<String>) -> Option<String> {
        filter
    }

    /// Fails.
    async fn store(&self) -> std::result::Result<(), NotStored> {
        Err(NotStored(std::io::Error::other("password=hunter2 at db.internal")))
    }
}

fn app() -> Router {
    let contract = Contract::builder("papers").resource(Papers.into_resource()).build().unwrap();
    mounted(&contract)
}

fn mounted(contract: &Contract) -> Router {
    let app = jsonrpc::mount(Router::new(), "/rpc", contract.clone(), jsonrpc::Options::new()).unwrap();
    rest::mount(app, contract.clone(), rest::Options::new()).unwrap()
}

/// Sends a request, and returns the status, the header `name`, and the body.
async fn send(app: &Router, line: &str, body: Value, name: &str) -> (u16, Option<String>, String) {
    let (verb, path) = line.split_once(' ').unwrap();
    let request = Request::builder().method(verb).uri(path).header("host", "localhost");
    let request = request.header("content-type", "application/json");
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let (parts, body) = app.clone().oneshot(request.body(body).unwrap()).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let header = parts.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    (parts.status.as_u16(), header, String::from_utf8(body.to_vec()).unwrap())
}

fn rpc(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

#[tokio::test]
async fn strangers_get_the_error_of_a_method_but_not_its_sources() {
    let app = app();
    let (status, _, problem) = send(&app, "POST /papers/store", Value::Null, "").await;
    let problem: Value = serde_json::from_str(&problem).unwrap();
    assert_eq!((status, &problem["detail"]), (500, &json!("cannot store the paper")));
    let (_, _, reply) = send(&app, "POST /rpc", rpc("papers.store", &json!({})), "").await;
    let reply: Value = serde_json::from_str(&reply).unwrap();
    assert_eq!(reply["error"]["message"], "cannot store the paper");
}

#[tokio::test]
async fn a_location_has_no_empty_part_and_leads_nowhere_else() {
    let app = app();
    for id in ["", ".", ".."] {
        let (status, location, _) = send(&app, "POST /papers", json!({ "id": id }), "location").await;
        assert_eq!((status, location), (201, None), "{id}");
    }
    for (id, path) in [("...", "..."), ("../a", "..%2Fa"), ("a b", "a%20b"), ("//evil.example", "%2F%2Fevil.example")] {
        let (status, location, _) = send(&app, "POST /papers", json!({ "id": id }), "location").await;
        assert_eq!((status, location), (201, Some(format!("/papers/{path}"))), "{id}");
    }
}

#[tokio::test]
async fn a_query_of_many_names_is_read_in_linear_time() {
    let app = app();
    let mut fastest = [Duration::MAX; 2];
    for _ in 0..9 {
        for (fastest, names) in fastest.iter_mut().zip([1_000_u16, 10_000]) {
            let names: Vec<_> = (0..names).map(|number| format!("n{number}")).collect();
            let started = Instant::now();
            let (status, _, body) = send(&app, &format!("GET /papers?{}", names.join("&")), Value::Null, "").await;
            *fastest = started.elapsed().min(*fastest);
            assert_eq!(status, 422, "{body}");
            assert!(body.len() < 10_000, "{} bytes of mistakes", body.len());
        }
    }
    // A hundred times as long, if each name is compared with the others.
    assert!(fastest[1] < fastest[0] * 40, "{fastest:?}");
}

/// Rejects calls of `papers_get`, and lets others pass.
async fn admit(call: CallInfo) -> Result<()> {
    if call.tool() == "papers_get" {
        return Err(Rejection::too_many_requests("5 papers per minute", Duration::from_millis(1_500)).into());
    }
    Ok(())
}

#[tokio::test]
async fn the_layers_of_a_service_are_around_calls_through_all_endpoints() {
    let contract = Contract::builder("papers").resource(Papers.into_resource()).build().unwrap();
    let server = Server::new("papers", "1").layer(layer::admit_fn(admit)).contract(&contract);
    let app = mounted(&contract.served_by(&server.build().unwrap()).unwrap());
    let (status, retry, body) = send(&app, "GET /papers/a", Value::Null, "retry-after").await;
    assert_eq!((status, retry.as_deref()), (429, Some("2")), "{body}");
    assert!(body.contains("5 papers per minute"), "{body}");
    let (status, retry, body) = send(&app, "POST /rpc", rpc("papers.get", &json!({ "id": "a" })), "retry-after").await;
    assert_eq!((status, retry.as_deref()), (429, Some("2")), "{body}");
    let error = &serde_json::from_str::<Value>(&body).unwrap()["error"];
    assert_eq!(error["data"], json!({ "status": 429, "retryAfterMs": 1500 }), "{error}");

    // A layer does not hide the mistakes in an input, the errors of methods, and their results.
    let (status, _, body) = send(&app, "POST /papers", json!({ "id": 5 }), "").await;
    assert_eq!(status, 422, "{body}");
    let (status, _, body) = send(&app, "POST /papers/store", Value::Null, "").await;
    assert!(status == 500 && body.contains("cannot store the paper"), "{body}");
    assert_eq!(send(&app, "POST /papers", json!({ "id": "a" }), "").await.2, r#"{"id":"a"}"#);
}
