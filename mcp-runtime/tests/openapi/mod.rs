//! Tools from an OpenAPI document, with a service that answers well and badly.

mod actions;
mod documents;
mod failures;
mod limits;
mod once;
mod own_servers;
mod requests;
mod secrets;
mod settings;

use mcp_runtime::{Server, Service, openapi, openapi::Api, testing::Client};
use serde_json::{Value, json};
use wiremock::{Mock, MockServer, Request, ResponseTemplate, matchers::any};

/// The tools of the document, with a service at this URL.
pub(crate) fn api(url: &str) -> Api {
    openapi!("api.json").base_url(format!("{url}/v1")).credential("key", KEY.to_owned())
}

/// The tools of another document: other styles, optional security, and answers in HTML.
fn colors(url: &str) -> Api {
    openapi!("colors.json").base_url(url)
}

pub(crate) const KEY: &str = "key-0123456789abcdef";

pub(crate) fn service(api: Api) -> Service {
    Server::new("parts", "1.0.0").tools(api).build().unwrap()
}

/// Starts a service that answers every request with `answer`.
async fn server(answer: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(any()).respond_with(answer).mount(&server).await;
    server
}

/// Starts a service that answers the first request with `first`, and later ones with a part.
async fn server_after(first: ResponseTemplate) -> MockServer {
    let server = server(part()).await;
    Mock::given(any()).respond_with(first).up_to_n_times(1).with_priority(1).mount(&server).await;
    server
}

fn part() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({ "name": "bolt", "size": 3 }))
}

async fn requests(server: &MockServer) -> Vec<Request> {
    server.received_requests().await.unwrap()
}

/// Calls a tool, and returns whether it has failed and its text.
async fn called(api: Api, tool: &str, arguments: Value) -> (bool, String) {
    let mut client = Client::modern(&service(api));
    let called = client.call(tool, arguments).await;
    (called.is_error(), called.text().to_owned())
}
