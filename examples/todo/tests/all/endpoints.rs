//! All endpoints are there, on one router.

use axum::{Router, body::Body, http::Request};
use http_body_util::BodyExt as _;
use mcp_runtime::Server;
use serde_json::{Value, json};
use todo::{Store, app, contract};
use tower::ServiceExt as _;

async fn send(app: &Router, verb: &str, path: &str, body: Value) -> (u16, Value) {
    let request = Request::builder().method(verb).uri(path).header("host", "localhost");
    let request = request.header("content-type", "application/json");
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    let response = app.clone().oneshot(request.body(body).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

fn all_doors() -> Router {
    let contract = contract(&Store::open(":memory:").unwrap()).unwrap();
    app(&contract, &Server::new("todo", "1.0.0").contract(&contract).build().unwrap()).unwrap()
}

#[tokio::test]
async fn rest_and_json_rpc_change_the_same_todos() {
    let app = all_doors();
    let todo = json!({ "id": 1, "title": "milk", "done": false, "assignee": null });
    assert_eq!(send(&app, "POST", "/todos", json!({ "title": "milk" })).await, (201, todo.clone()));
    assert_eq!(send(&app, "GET", "/todos?done=false&per_page=1", Value::Null).await.1["items"], json!([todo]));
    assert_eq!(send(&app, "GET", "/todos/search?text=MIL", Value::Null).await, (200, json!([todo])));
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "todos.delete", "params": [1] });
    assert_eq!(send(&app, "POST", "/rpc", call).await.1, json!({ "jsonrpc": "2.0", "id": 1, "result": null }));
    let (status, problem) = send(&app, "GET", "/todos/1", Value::Null).await;
    assert_eq!((status, &problem["detail"]), (404, &json!("there is no todo 1")));
    let (status, _) = send(&app, "PUT", "/todos/1", json!({ "title": "" })).await;
    assert_eq!(status, 422);
}

#[tokio::test]
async fn the_documents_are_there() {
    let app = all_doors();
    for (path, expected) in
        [("/openapi.json", 200), ("/openrpc.json", 200), ("/docs", 308), ("/docs/", 200), ("/x", 404)]
    {
        assert_eq!(send(&app, "GET", path, Value::Null).await.0, expected, "{path}");
    }
}
