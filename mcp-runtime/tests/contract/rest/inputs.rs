//! Inputs come from the path, the query and the body.

use serde_json::{Value, json};

use super::{app, send};

async fn listed(query: &str) -> Value {
    let reply = send(&app(), &format!("GET /notes{query}"), "").await;
    assert_eq!(reply.status, 200, "{query}: {}", reply.body);
    reply.json()[0].clone()
}

#[tokio::test]
async fn a_query_has_the_types_of_the_fields() {
    let all =
        listed("?filter=a%20b%2B%26&page=2&order=newest&tags=x&tags=y&short=true&range=%7B%22from%22:1,%22to%22:2%7D");
    let expected = json!({
        "filter": "a b+&", "page": 2, "order": "newest", "tags": ["x", "y"], "short": true,
        "range": { "from": 1, "to": 2 },
    });
    assert_eq!(all.await, expected);
}

#[tokio::test]
async fn absent_parameters_have_their_defaults() {
    let expected = json!({ "filter": null, "page": null, "order": null, "tags": [], "short": false, "range": null });
    assert_eq!(listed("").await, expected);
    assert_eq!(listed("?").await, expected);
    assert_eq!(listed("?tags=one").await["tags"], json!(["one"]), "one value is a list too");
    assert_eq!(listed("?filter=12").await["filter"], "12", "a text of digits stays a text");
    assert_eq!(listed("?filter=null").await["filter"], "null");
    assert_eq!(listed("?unknown=1").await, expected, "a type that ignores unknown fields ignores these");
}

#[tokio::test]
async fn a_query_that_does_not_fit_names_each_mistake() {
    let reply = send(&app(), "GET /notes?page=x&order=up&short=yes&filter=a&filter=b&range=1", "").await;
    assert_eq!(reply.problem(422), "the input does not fit the schema");
    let errors = reply.json()["errors"].to_string();
    for field in ["page", "order", "short", "filter", "range"] {
        assert!(errors.contains(&format!("`{field}`")), "{field}: {errors}");
    }
}

#[tokio::test]
async fn json_in_a_query_must_not_be_nested_too_deeply() {
    let nested = |levels: usize| format!("GET /notes?range={}{}", "%5B".repeat(levels), "%5D".repeat(levels));
    send(&app(), &nested(127), "").await.problem(422);
    let reason = send(&app(), &nested(128), "").await.problem(400);
    assert!(reason.contains("at most 128 levels of nesting"), "{reason}");
}

#[tokio::test]
async fn a_path_that_does_not_fit_is_a_mistake_in_the_input() {
    for path in ["x", "-1", "1.5", "99999999999999999999999", "%00", "%F0%9F%98%80", "1%20"] {
        let reply = send(&app(), &format!("GET /notes/{path}"), "").await;
        reply.problem(422);
        assert!(reply.json()["errors"][0].as_str().unwrap().contains("`id`"), "{path}: {}", reply.body);
    }
    send(&app(), "GET /notes/%ff", "").await.problem(400);
}

#[tokio::test]
async fn the_path_counts_if_the_body_has_the_same_field() {
    let app = app();
    send(&app, "POST /notes", r#"{"title": "milk"}"#).await;
    let updated = send(&app, "PUT /notes/1", r#"{"id": 9, "title": "t\u0065a", "tags": []}"#).await;
    assert_eq!((updated.status, updated.json()), (200, json!({ "id": 1, "title": "tea", "tags": [] })));
    let twice = send(&app, "PUT /notes/1", r#"{"title": "a", "title": "b"}"#).await;
    twice.problem(422);
}

#[tokio::test]
async fn invalid_input_names_each_mistake() {
    let reply = send(&app(), "POST /notes", r#"{"title": "", "tag": []}"#).await;
    reply.problem(422);
    let errors = reply.json()["errors"].as_array().unwrap().clone();
    assert_eq!(errors.len(), 2, "{errors:?}");
    send(&app(), "POST /notes", "").await.problem(422);
    for body in ["[]", "1", "null", "\"x\""] {
        for request in ["POST /notes", "PUT /notes/1"] {
            let reply = send(&app(), request, body).await;
            reply.problem(422);
            assert_eq!(reply.json()["errors"], json!(["the input must be an object"]), "{request}");
        }
    }
}

#[tokio::test]
async fn null_in_a_body_means_left_out_and_json_in_a_string_is_read() {
    let app = app();
    let created = send(&app, "POST /notes", r#"{"title": "tea", "tags": null}"#).await;
    assert_eq!(created.json(), json!({ "id": 1, "title": "tea", "tags": [] }));
    let updated = send(&app, "PUT /notes/1", r#"{"title": "tea", "tags": "[\"x\"]"}"#).await;
    assert_eq!(updated.json()["tags"], json!(["x"]));
}
