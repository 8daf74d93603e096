//! Calls of methods.

use axum::{Router, body::Body, http::Request, routing::get};
use mcp_runtime::contract::jsonrpc::{self, ErrorObject};
use serde_json::{Value, json};

use super::{app, app_with, call, post, reply};
use crate::contract::notes::{NoteError, contract};

#[tokio::test]
async fn calls_create_read_update_and_delete() {
    let app = app();
    let note = json!({ "id": 1, "title": "milk", "tags": ["shop"] });
    assert_eq!(call(&app, "notes.create", json!({ "title": "milk", "tags": ["shop"] })).await, Ok(note.clone()));
    assert_eq!(call(&app, "notes.get", json!({ "id": 1 })).await, Ok(note));
    let tea = json!({ "id": 1, "title": "tea", "tags": [] });
    assert_eq!(call(&app, "notes.update", json!({ "id": 1, "title": "tea" })).await, Ok(tea.clone()));
    assert_eq!(call(&app, "notes.search", json!({ "text": "te" })).await, Ok(json!([tea])));
    assert_eq!(call(&app, "notes.delete", json!({ "id": 1 })).await, Ok(Value::Null), "no output is `null`");
    let error = json!({ "code": -32000, "message": "there is no note 1", "data": { "status": 404 } });
    assert_eq!(call(&app, "notes.get", json!({ "id": 1 })).await, Err(error));
}

#[tokio::test]
async fn handler_is_one_route_of_an_application() {
    let app = Router::new()
        .route("/", get(|| async { "home" }))
        .route("/api/{version}", jsonrpc::handler(contract(), jsonrpc::Options::new()).unwrap());
    let request = Request::post("/api/1").header("content-type", "application/json");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "server_status.get" }).to_string();
    let got = reply(&app, request.body(Body::from(body)).unwrap()).await;
    assert_eq!(got.json()["result"], "fine");
    let home = reply(&app, Request::get("/").body(Body::empty()).unwrap()).await;
    assert_eq!(home.body, "home");
}

#[tokio::test]
async fn another_verb_is_not_allowed() {
    let refused = reply(&app(), Request::get("/rpc").body(Body::empty()).unwrap()).await;
    assert_eq!(refused.error(405, -32600), "requests are sent with `POST`");
    assert_eq!(refused.headers["allow"], "POST");
}

#[tokio::test]
async fn method_not_found_for_all_names_but_those_of_several_resources() {
    let app = app();
    assert_eq!(call(&app, "server_status.get", json!({})).await, Ok(json!("fine")));
    for name in ["server.status_get", "server_status", "server_status.", ".get", "notes_get", "rpc.other", "", "…"] {
        let error = call(&app, name, json!({})).await.unwrap_err();
        assert_eq!(error, json!({ "code": -32601, "message": format!("there is no method `{name}`") }));
    }
}

#[tokio::test]
async fn no_input_needs_no_params() {
    let app = app();
    for params in ["", r#","params":{}"#, r#","params":[]"#] {
        let got = post(&app, format!(r#"{{"jsonrpc":"2.0","id":1,"method":"server_status.get"{params}}}"#)).await;
        assert_eq!(got.json()["result"], "fine", "{params}");
    }
}

#[tokio::test]
async fn params_by_position_have_the_order_of_the_fields() {
    let app = app();
    let note = json!({ "id": 1, "title": "milk", "tags": ["shop"] });
    assert_eq!(call(&app, "notes.create", json!(["milk", ["shop"]])).await, Ok(note.clone()));
    assert_eq!(call(&app, "notes.get", json!([1])).await, Ok(note));
    let error = call(&app, "notes.get", json!([1, 2])).await.unwrap_err();
    assert_eq!(error["code"], -32602);
    assert_eq!(error["data"]["errors"], json!(["the method takes at most 1 params, not 2"]));
}

#[tokio::test]
async fn required_params_come_first() {
    let app = app();
    assert_eq!(call(&app, "notes.ordered", json!([2])).await, Ok(json!("None 2 None")));
    assert_eq!(call(&app, "notes.ordered", json!([2, 1, 3])).await, Ok(json!("Some(1) 2 Some(3)")));
}

#[tokio::test]
async fn an_input_without_fields_is_the_whole_of_params() {
    let app = app();
    assert_eq!(call(&app, "notes.label", json!({ "a": "red", "b": "" })).await, Ok(json!({ "a": 3, "b": 0 })));
    let error = call(&app, "notes.label", json!(["red"])).await.unwrap_err();
    assert_eq!(error["data"]["errors"], json!(["the params of this method have no order; send an object"]));
}

#[tokio::test]
async fn invalid_params_name_each_mistake() {
    let error = call(&app(), "notes.create", json!({ "title": "", "tag": [] })).await.unwrap_err();
    assert_eq!((&error["code"], &error["message"]), (&json!(-32602), &json!("the params do not fit the schema")));
    let errors = error["data"]["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(
        errors[0].as_str().unwrap().contains("`title`") && errors[1].as_str().unwrap().contains("`tag`"),
        "{errors:?}"
    );
    for params in [json!({ "id": "x" }), json!({}), json!([]), json!(["x"]), json!([null]), json!({ "id": -1 })] {
        assert_eq!(call(&app(), "notes.get", params.clone()).await.unwrap_err()["code"], -32602, "{params}");
    }
}

#[tokio::test]
async fn call_error_of_a_panic_or_a_timeout_is_internal() {
    let app = app();
    for (method, expected) in [
        ("server_status.crash", "internal error: the method `server_status.crash` panicked"),
        ("server_status.wait", "the method `server_status.wait` did not finish within 10ms"),
    ] {
        assert_eq!(call(&app, method, json!({})).await, Err(json!({ "code": -32603, "message": expected })));
    }
    let error = call(&app, "server_status.fail", json!({})).await.unwrap_err();
    assert_eq!(
        error,
        json!({ "code": -32000, "message": "the disk is full" }),
        "an error without a status has no data"
    );
}

#[tokio::test]
async fn error_mapper_sees_the_typed_error() {
    let options = jsonrpc::Options::new().error_mapper(|error| match error.downcast_ref() {
        Some(NoteError::NotFound(id)) => ErrorObject::new(7, "gone").with_data(*id),
        _ => ErrorObject::new(8, error.to_string()),
    });
    let app = app_with(options);
    let error = call(&app, "notes.get", json!([5])).await;
    assert_eq!(error, Err(json!({ "code": 7, "message": "gone", "data": 5 })));
    let error = call(&app, "server_status.fail", json!([])).await;
    assert_eq!(error, Err(json!({ "code": 8, "message": "the disk is full" })));
}

#[tokio::test]
async fn null_means_left_out_and_json_in_a_string_is_read() {
    let app = app();
    let left_out = call(&app, "notes.list", json!({})).await.unwrap();
    let nulls = json!({ "filter": null, "page": null, "tags": null, "short": null, "range": null });
    assert_eq!(call(&app, "notes.list", nulls).await, Ok(left_out));
    let note = json!({ "id": 1, "title": "milk", "tags": ["shop"] });
    assert_eq!(call(&app, "notes.create", json!({ "title": "milk", "tags": r#"["shop"]"# })).await, Ok(note));
    let untagged = json!({ "id": 2, "title": "tea", "tags": [] });
    assert_eq!(call(&app, "notes.create", json!({ "title": "tea", "tags": null })).await, Ok(untagged));
}
