//! The three endpoints lead to the same service.

use app::{api, app};
use axum::{Router, body::Body, http::Request};
use http_body_util::BodyExt as _;
use mcp_runtime::{Revision, Server, testing::Client};
use serde_json::{Value, json};
use service::Items;
use tower::ServiceExt as _;

async fn send(app: &Router, verb: &str, path: &str, body: Value) -> (u16, Value) {
    let request = Request::builder()
        .method(verb)
        .uri(path)
        .header("host", "localhost");
    let request = request.header("content-type", "application/json");
    let body = if body.is_null() {
        Body::empty()
    } else {
        Body::from(body.to_string())
    };
    let response = app
        .clone()
        .oneshot(request.body(body).unwrap())
        .await
        .unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (
        status,
        serde_json::from_slice(&bytes).unwrap_or(Value::Null),
    )
}

#[tokio::test]
async fn all_doors_lead_to_one_service() {
    let contract = api::contract(Items::default()).unwrap();
    let service = Server::new("test", "1.0.0")
        .contract(&contract)
        .build()
        .unwrap();
    let app = app(&contract, &service).unwrap();
    let item = json!({ "id": 1, "name": "lamp" });
    assert_eq!(
        send(&app, "POST", "/items", json!({ "name": "lamp" })).await,
        (201, item.clone())
    );

    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "items.get", "params": { "id": 1 } });
    let (_, reply) = send(&app, "POST", "/rpc", call).await;
    assert_eq!(reply["result"], item);

    let reply = Client::new(&service, Revision::LATEST)
        .call("items_list", json!({}))
        .await;
    assert_eq!(
        serde_json::from_str::<Value>(&reply.text()).unwrap(),
        json!([item])
    );

    assert_eq!(
        send(&app, "DELETE", "/items/1", Value::Null).await,
        (204, Value::Null)
    );
    let (status, problem) = send(&app, "GET", "/items/1", Value::Null).await;
    assert_eq!(
        (status, &problem["detail"]),
        (404, &json!("there is no item 1"))
    );
}

#[tokio::test]
async fn the_documents_are_there() {
    let contract = api::contract(Items::default()).unwrap();
    let app = app(
        &contract,
        &Server::new("app", "1.0.0")
            .contract(&contract)
            .build()
            .unwrap(),
    )
    .unwrap();
    for (path, member) in [("/openapi.json", "openapi"), ("/openrpc.json", "openrpc")] {
        let (status, document) = send(&app, "GET", path, Value::Null).await;
        assert!(status == 200 && document[member].is_string(), "{path}");
    }
}
