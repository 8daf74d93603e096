//! Subscriptions of the scripted client: in memory and over HTTP, in every revision.

use std::time::Duration;

use mcp_runtime::{
    Revision, Server, Service,
    prelude::*,
    testing::{Client, Notice},
    tool::DynamicTool,
};
use serde_json::json;

/// Longer than a notice takes.
const SETTLED: Duration = Duration::from_millis(200);

/// The news.
#[mcp_resource("news://latest")]
async fn news() -> &'static str {
    "nothing new"
}

fn service() -> Service {
    Server::new("press", "1").dynamic_tools().dynamic_resources().resources(resources![news]).build().unwrap()
}

fn add_tool(service: &Service, name: &str) {
    let tool = DynamicTool::from_schema(name.to_owned(), "A tool.", json!({ "type": "object" }), async |_: Ctx, _| "");
    service.tools().add(tool).unwrap();
}

fn updated() -> Notice {
    Notice::Updated("news://latest".to_owned())
}

async fn gets_each_change_once(service: &Service, mut client: Client) {
    client.subscribed([Notice::Tools, updated()]).await;
    for name in ["first", "second", "third"] {
        add_tool(service, name);
        assert_eq!(client.notice().await, Notice::Tools);
    }
    service.resources().updated("news://latest");
    assert_eq!(client.notice().await, updated());
    // The client did not subscribe to these.
    service.resources().updated("news://other");
    service.resources().notify();
    assert_eq!(client.notices(SETTLED).await, []);
    (0..100).for_each(|index| add_tool(service, &format!("tool_{index}")));
    // Calls and notices share the connection.
    assert_eq!(client.tools().await.len(), 103);
    assert_eq!(client.notice().await, Notice::Tools);
    assert_eq!(client.notices(SETTLED).await, []);
    client.unsubscribed().await;
    add_tool(service, "last");
    service.resources().updated("news://latest");
    assert_eq!(client.notices(SETTLED).await, []);
}

#[tokio::test]
async fn a_subscription_gets_each_change_once_in_memory() {
    for revision in Revision::ALL {
        let service = service();
        gets_each_change_once(&service, Client::new(&service, revision)).await;
    }
}

#[tokio::test]
async fn a_subscription_gets_each_change_once_over_http() {
    // 2024-11-05 has no streamable HTTP.
    for revision in Revision::ALL.into_iter().filter(|revision| *revision != Revision::V2024_11_05) {
        let service = service();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let serving = service.clone();
        let server = tokio::spawn(async move { serving.serve_listener(listener, std::future::pending()).await });
        gets_each_change_once(&service, Client::url(&url).revision(revision)).await;
        server.abort();
    }
}

#[tokio::test]
async fn a_second_subscription_replaces_the_first() {
    for revision in Revision::ALL {
        let service = service();
        let mut client = Client::new(&service, revision);
        client.subscribed([updated()]).await;
        client.subscribed([Notice::Tools]).await;
        service.resources().updated("news://latest");
        add_tool(&service, "first");
        assert_eq!(client.notice().await, Notice::Tools);
        assert_eq!(client.notices(SETTLED).await, []);
    }
}

#[tokio::test]
#[should_panic(expected = "the server does not declare that its prompts can change; build it with \
                           `Server::dynamic_prompts`")]
async fn a_server_that_cannot_change_refuses_a_session() {
    Client::legacy(&service(), Revision::V2025_11_25).subscribed([Notice::Prompts]).await;
}

#[tokio::test]
#[should_panic(expected = "the server does not declare that its prompts can change")]
async fn a_server_that_cannot_change_refuses_a_part_of_a_subscription() {
    Client::modern(&service()).subscribed([Notice::Tools, Notice::Prompts]).await;
}

#[tokio::test(start_paused = true)]
#[should_panic(expected = "no notice came within 10s")]
async fn waiting_for_a_notice_has_a_limit() {
    let mut client = Client::modern(&service());
    client.subscribed([Notice::Tools]).await;
    client.notice().await;
}
