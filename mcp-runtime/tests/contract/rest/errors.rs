//! Errors of methods.

use mcp_runtime::contract::rest::{self, ProblemDetails};

use super::{app, app_with, send};
use crate::contract::notes::NoteError;

#[tokio::test]
async fn call_error_has_the_status_of_its_type() {
    let app = app();
    send(&app, "POST /notes", r#"{"title": "milk"}"#).await;
    assert_eq!(send(&app, "POST /notes", r#"{"title": "milk"}"#).await.problem(409), "the title `milk` is taken");
    assert_eq!(send(&app, "DELETE /notes/5", "").await.problem(404), "there is no note 5");
}

#[tokio::test]
async fn call_error_without_a_status_is_one_of_the_server() {
    assert_eq!(send(&app(), "POST /server_status/fail", "").await.problem(500), "the disk is full");
}

#[tokio::test]
async fn call_error_of_a_panic_or_a_timeout_is_one_of_the_server() {
    let detail = send(&app(), "POST /server_status/crash", "").await.problem(500);
    assert_eq!(detail, "internal error: the method `server_status.crash` panicked");
    let detail = send(&app(), "POST /server_status/wait", "").await.problem(500);
    assert_eq!(detail, "the method `server_status.wait` did not finish within 10ms");
}

#[tokio::test]
async fn error_mapper_sees_the_typed_error() {
    let options = rest::Options::new().error_mapper(|error| match error.downcast_ref() {
        Some(NoteError::NotFound(id)) => {
            ProblemDetails::new(410).type_uri("https://example.com/gone").title("Gone for good").member("id", *id)
        }
        _ => ProblemDetails::new(200),
    });
    let app = app_with(options);
    let gone = send(&app, "GET /notes/5", "").await;
    let expected = serde_json::json!({
        "type": "https://example.com/gone", "title": "Gone for good", "status": 410, "id": 5,
    });
    assert_eq!((gone.status, gone.json()), (410, expected));
    let other = send(&app, "POST /server_status/fail", "").await;
    assert_eq!(other.status, 500, "a problem cannot have the status of a success");
}
