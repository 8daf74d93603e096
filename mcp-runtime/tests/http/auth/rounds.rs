//! In a multi-round call, each request carries its own token.

use axum::{Router, http::StatusCode};
use serde_json::{Value, json};

use super::{alone, app, call, with_token};
use crate::http::wire::{Reply, send};

async fn come_back(app: &Router, token: &str, first: &Value) -> Reply {
    let key = first["result"]["inputRequests"].as_object().unwrap().keys().next().unwrap();
    let params = json!({
        "name": "reserve",
        "arguments": {},
        "requestState": first["result"]["requestState"],
        "inputResponses": { key: { "action": "accept", "content": { "place": "12A" } } },
    });
    send(app, with_token(token, alone("tools/call", params))).await
}

#[tokio::test]
async fn checks_scopes_in_every_round_before_the_state_is_consumed() {
    let app = app();
    let first = call(&app, "ann-write", "reserve").await;
    assert_eq!(first.json()["result"]["resultType"], "input_required", "{}", first.text);
    let first = first.json();
    let refused = come_back(&app, "ann-read", &first).await;
    assert_eq!((refused.status, &refused.json()["id"]), (StatusCode::FORBIDDEN, &json!(7)));
    let unverified = come_back(&app, "past", &first).await;
    assert_eq!(unverified.status, StatusCode::UNAUTHORIZED);
    let booked = come_back(&app, "ann-write", &first).await;
    assert_eq!(booked.json()["result"]["content"][0]["text"], "12A for ann with flights:write,flights:read");
    // A recorded reply needs the scopes as well.
    assert_eq!(come_back(&app, "ann-read", &first).await.status, StatusCode::FORBIDDEN);
    assert_eq!(come_back(&app, "ann-write", &first).await.json()["result"], booked.json()["result"]);
}

#[tokio::test]
async fn a_principal_cannot_resume_the_call_of_another() {
    let app = app();
    let first = call(&app, "ann-write", "reserve").await.json();
    let stolen = come_back(&app, "bob-write", &first).await;
    assert_eq!(stolen.json()["error"]["code"], -32602, "{}", stolen.text);
    // The principal may have been granted more scopes since then.
    let booked = come_back(&app, "ann-all", &first).await;
    assert_eq!(
        booked.json()["result"]["content"][0]["text"],
        "12A for ann with flights:admin,flights:write,flights:read"
    );
}
