//! Operations with `servers` of their own: where requests go, and which servers get credentials.

use mcp_runtime::{Server, openapi, openapi::Api};
use serde_json::json;

use super::{KEY, called, part, requests, server};

/// The first server is `https://parts.example.com/v1`. `movePart` is at `/v2` there, and `uploadPart` and `getState` are at
/// `https://uploads.example.com`, the latter without security.
fn api() -> Api {
    openapi!("own_servers.json").credential("key", KEY.to_owned())
}

fn problems(api: Api) -> String {
    Server::new("parts", "1.0.0").tools(api).build().unwrap_err().to_string()
}

#[tokio::test]
async fn a_server_of_the_same_origin_follows_the_base_url() {
    let server = server(part()).await;
    let api = api().base_url(format!("{}/mock", server.uri())).own_server("https://uploads.example.com", server.uri());
    let (failed, text) = called(api, "move_part", json!({})).await;
    assert!(!failed, "{text}");
    let request = requests(&server).await.remove(0);
    assert_eq!((request.url.path(), request.headers["x-key"].to_str().unwrap()), ("/v2/moves", KEY));
}

#[tokio::test]
async fn a_server_that_the_author_has_named_gets_the_credential() {
    let [first, uploads] = [server(part()).await, server(part()).await];
    let api = api().base_url(first.uri()).own_server("https://uploads.example.com", format!("{}/u", uploads.uri()));
    let (failed, text) = called(api, "upload_part", json!({})).await;
    assert!(!failed, "{text}");
    let request = requests(&uploads).await.remove(0);
    assert_eq!((request.url.path(), request.headers["x-key"].to_str().unwrap()), ("/u/uploads", KEY));
    assert!(requests(&first).await.is_empty());
}

#[test]
fn a_server_that_the_author_has_not_named_is_a_problem_if_it_needs_a_credential() {
    let error = problems(api());
    assert!(
        error.contains(
            "`POST /uploads` of `Parts` has a server of its own, `https://uploads.example.com`, and needs a credential; if \
             this server may get it, name it with \
             `.own_server(\"https://uploads.example.com\", \"https://uploads.example.com\")`"
        ),
        "{error}"
    );
    // Without security, it is only another URL.
    let without = openapi!("own_servers.json", except("uploadPart"));
    Server::new("parts", "1.0.0").tools(without).build().unwrap();
}

#[test]
fn a_server_that_no_operation_has_is_a_problem() {
    let error = problems(api().own_server("https://upload.example.com", "http://h"));
    assert!(
        error.contains(
            "the chosen operations of `Parts` have no server of their own `https://upload.example.com`, only \
             `https://parts.example.com/v2`, `https://uploads.example.com`"
        ),
        "{error}"
    );
}
