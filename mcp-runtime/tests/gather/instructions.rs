//! Instructions and skills of mounted servers.

use mcp_runtime::{
    Service,
    prelude::*,
    remote::{Mount, Remote},
    skills,
    testing::Client,
};
use serde_json::{Value, json};

use super::{
    gateway,
    servers::{Done, Kind, Started, shop},
};
use crate::tasks::wire::Wire;

const SHOP: &str = "Call `stock` before `book`.";

fn with_instructions(done: &Done) -> Server {
    shop(done).instructions(SHOP)
}

async fn discovered(service: &Service) -> Value {
    Wire::new(service).result("server/discover", json!({})).await["instructions"].clone()
}

/// Returns the instructions in the handshake of a session.
async fn in_session(service: &Service) -> Value {
    let mut client = service.memory();
    let info = json!({ "name": "c", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }).to_string()).await;
    let reply: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
    reply["result"]["instructions"].clone()
}

#[tokio::test]
async fn the_instructions_of_a_mounted_server_follow_those_of_the_gateway() {
    for kind in Kind::ALL {
        let shop = Started::of(kind, with_instructions).await;
        let mounted = || Mount::new(shop.remote.clone()).instructions();
        let service = gateway(mounted()).instructions("Ask before you buy.").build().unwrap();
        let expected = format!(
            "Ask before you buy.\n\nInstructions for the tools of `shop`, whose names begin with `shop_` here:\n\n{SHOP}"
        );
        assert_eq!(discovered(&service).await, expected.as_str(), "{kind:?}");
        assert_eq!(in_session(&service).await, expected.as_str(), "{kind:?}");
        let service = gateway(mounted().without_prefix()).build().unwrap();
        assert_eq!(discovered(&service).await, format!("Instructions for the tools of `shop`:\n\n{SHOP}"), "{kind:?}");
    }
}

#[tokio::test]
async fn instructions_pass_only_if_the_author_asks_for_them() {
    let shop = Started::of(Kind::Service, with_instructions).await;
    let service = gateway(&shop.remote).build().unwrap();
    assert_eq!((discovered(&service).await, in_session(&service).await), (Value::Null, Value::Null));
}

#[tokio::test]
async fn long_instructions_are_cut_at_a_character() {
    let long = Server::new("long", "1").instructions("ü".repeat(5000)).build().unwrap();
    let service = gateway(Mount::new(Remote::service(&long)).instructions()).build().unwrap();
    let instructions = discovered(&service).await;
    assert_eq!(instructions.as_str().unwrap().matches('ü').count(), 2048);
}

#[tokio::test]
async fn a_server_without_instructions_or_without_an_answer_adds_none() {
    let shop = Started::new(Kind::Service).await;
    let unreachable = Mount::new(Remote::http("http://127.0.0.1:1/mcp")).instructions();
    let service = gateway(Mount::new(shop.remote.clone()).instructions()).mount("gone", unreachable).build().unwrap();
    assert_eq!(discovered(&service).await, Value::Null);
}

#[tokio::test]
async fn the_files_of_a_skill_are_resources_of_the_gateway() {
    let support = Server::new("support", "1").skills(skills!["../skills/files/refunds"]).build().unwrap();
    let service = gateway(Remote::service(&support)).build().unwrap();
    let mut theirs = Client::modern(&support);
    let mut ours = Client::modern(&service);
    let uri = "skill://refunds/SKILL.md";
    let text = theirs.read(uri).await.text();
    assert!(text.contains("refunds"), "{text}");
    assert_eq!(ours.read(uri).await.text(), text);
    assert!(ours.read("skill://refunds/missing.md").await.is_not_found());
}
