//! A server offers what other servers have.

mod bad_servers;
mod changes;
mod instructions;
mod items;
mod lists;
mod many;
#[cfg(unix)]
mod processes;
mod servers;
mod tasks;
mod views;

use mcp_runtime::{
    Revision, in_every_mode,
    prelude::*,
    remote::{Mount, Remote},
    testing::Client,
};
use serde_json::{Value, json};

use self::servers::{Kind, Started, YES, chained};

fn gateway(mount: impl Into<Mount>) -> Server {
    Server::new("gateway", "1").mount("shop", mount)
}

#[tokio::test]
async fn the_questions_of_a_mounted_tool_are_those_of_the_call() {
    for kind in [Kind::Service, Kind::Http] {
        in_every_mode!(async |mode| {
            let shop = Started::new(kind).await;
            let mut client = mode.client(|| gateway(&shop.remote));
            let reply = client.call("shop_book", json!({ "what": "room" })).accept(YES).await;
            assert_eq!(reply.text(), "room booked", "{kind:?}");
            assert_eq!(shop.done.take(), ["hold room", "book room"], "{kind:?}");
        });
    }
}

#[tokio::test]
async fn the_questions_of_a_session_reach_clients_of_all_revisions() {
    let shop = Started::new(Kind::Session).await;
    let service = gateway(&shop.remote).build().unwrap();
    for revision in [Revision::LATEST, Revision::V2025_11_25, Revision::V2025_06_18] {
        let mut client = Client::new(&service, revision);
        let reply = client.call("shop_book", json!({ "what": "room" })).accept(YES).await;
        assert_eq!(reply.text(), "room booked", "{revision}");
        let declined = client.call("shop_book", json!({ "what": "room" })).decline().await;
        assert!(declined.is_error(), "{revision}");
        assert_eq!(shop.done.take(), ["hold room", "book room", "hold room"], "{revision}");
    }
}

#[tokio::test]
async fn results_pass_as_they_are() {
    for kind in Kind::ALL {
        let shop = Started::new(kind).await;
        let service = gateway(&shop.remote).build().unwrap();
        for revision in [Revision::LATEST, Revision::V2025_06_18] {
            let mut client = Client::new(&service, revision);
            let reply = client.call("shop_stock", json!({ "of": "tea" })).await;
            assert_eq!(reply.structured::<Value>(), json!({ "of": "tea", "left": 3 }), "{kind:?}");
            let result = reply.result();
            assert_eq!(
                result["content"][1]["annotations"],
                json!({ "audience": ["user"], "priority": 0.5 }),
                "{kind:?}"
            );
            assert_eq!(result["_meta"]["shelf"], 7, "{kind:?}");
            let failed = client.call("shop_stock", json!({ "of": "nothing" })).await;
            assert!(failed.is_error(), "{kind:?}");
            assert_eq!(failed.text(), "there is no nothing", "{kind:?}");
        }
    }
}

#[tokio::test]
async fn progress_and_log_messages_cross() {
    for kind in Kind::ALL {
        let shop = Started::new(kind).await;
        let service = gateway(&shop.remote).build().unwrap();
        let mut client = Client::modern(&service);
        let reply = client.call("shop_count", json!({})).await;
        assert_eq!(reply.text(), "counted", "{kind:?}");
        assert_eq!(reply.progress().len(), 2, "{kind:?}");
        assert!(reply.logs().iter().any(|log| log.data == "counting"), "{kind:?}");
    }
}

#[tokio::test]
async fn the_other_server_checks_the_arguments() {
    let shop = Started::new(Kind::Http).await;
    let service = gateway(&shop.remote).build().unwrap();
    let mut client = Client::modern(&service);
    let reply = client.call("shop_stock", json!({ "of": 3, "more": 1 })).await;
    assert!(reply.is_error());
    assert!(reply.text().contains("invalid arguments for `stock`"), "{}", reply.text());
}

#[tokio::test]
async fn a_chain_of_too_many_servers_ends() {
    let base = Started::new(Kind::Service).await;
    let (mut service, mut name) = (chained(&base.remote), "m_stock".to_owned());
    for _ in 0..6 {
        service = chained(&Remote::service(&service));
        name = format!("m_{name}");
    }
    let mut client = Client::modern(&service);
    assert_eq!(client.call(&name, json!({ "of": "tea" })).await.structured::<Value>()["left"], 3);
    // A tool is not offered through more servers than a call can pass.
    let mut deeper = service;
    for _ in 0..3 {
        deeper = chained(&Remote::service(&deeper));
    }
    assert_eq!(Client::modern(&deeper).tools().await, Vec::<Value>::new());
    assert!(deeper.mounts()[0].warnings.len() < 100);
}
