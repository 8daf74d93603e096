//! Subscriptions: who gets which notice, and that none is lost.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{MemoryClient, Revision, prelude::*};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::{SETTLED, add_nothing, echo, names, server, service};
use crate::protocol::client::Client;

async fn listen(client: &mut Client, notifications: Value) -> Value {
    let id = client.begin("subscriptions/listen", json!({ "notifications": notifications })).await;
    let acknowledged = client.next().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
    acknowledged
}

#[tokio::test]
async fn a_subscription_gets_only_what_it_named_and_ends_with_its_cancellation() {
    let service = service();
    let mut client = Client::open(&service, Revision::LATEST).await;
    let wanted = json!({ "toolsListChanged": true, "resourceSubscriptions": ["test://page"] });
    let acknowledged = listen(&mut client, wanted.clone()).await;
    assert_eq!(acknowledged["params"]["notifications"], wanted);
    let id = acknowledged["params"]["_meta"].clone();
    service.prompts().notify();
    service.tools().add(echo("late")).unwrap();
    let notice = client.next().await;
    assert_eq!(notice["method"], "notifications/tools/list_changed");
    assert_eq!(notice["params"]["_meta"], id);
    service.resources().updated("test://page");
    let notice = client.next().await;
    assert_eq!((&notice["params"]["uri"], &notice["params"]["_meta"]), (&json!("test://page"), &id));
    client.cancel(&id["io.modelcontextprotocol/subscriptionId"]).await;
    service.tools().remove("late");
    sleep(SETTLED).await;
    client.works().await;
}

#[tokio::test]
async fn a_changed_resource_notifies_the_subscribers_of_its_parts() {
    let service = service();
    let parts = ["test://page?offset=10", "test://page?offset=20"];
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let mut client = Client::open(&service, revision).await;
        if revision.is_modern() {
            listen(&mut client, json!({ "resourceSubscriptions": parts })).await;
        } else {
            for uri in parts {
                client.result("resources/subscribe", json!({ "uri": uri })).await;
            }
        }
        service.resources().updated("test://pages");
        service.resources().updated("test://page");
        let mut uris = [client.next().await["params"]["uri"].take(), client.next().await["params"]["uri"].take()];
        uris.sort_by_key(ToString::to_string);
        assert_eq!(uris, parts, "{revision}");
        service.resources().updated(parts[1]);
        assert_eq!(client.next().await["params"]["uri"], parts[1]);
        if !revision.is_modern() {
            client.result("resources/unsubscribe", json!({ "uri": parts[0] })).await;
            service.resources().updated("test://page");
            assert_eq!(client.next().await["params"]["uri"], parts[1]);
            sleep(SETTLED).await;
            client.works().await;
        }
    }
}

#[tokio::test]
async fn the_server_answers_a_subscription_when_it_ends() {
    let service = service();
    let mut client = Client::open(&service, Revision::LATEST).await;
    listen(&mut client, json!({ "promptsListChanged": true })).await;
    let rest = client.close().await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0]["result"]["resultType"], "complete");
    assert_eq!(rest[0]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], rest[0]["id"]);
}

#[tokio::test]
async fn rejects_a_filter_that_is_malformed_or_too_large() {
    let service = service();
    let mut client = Client::open(&service, Revision::LATEST).await;
    let uris: Vec<_> = (0..1001).map(|index| format!("test://{index}")).collect();
    for (filter, words) in [
        (json!({ "resourceSubscriptions": uris }), "at most 1000 resources"),
        (json!({ "resourceSubscriptions": [format!("test://{}", "x".repeat(70_000))] }), "65536 bytes"),
    ] {
        let error = client.error("subscriptions/listen", json!({ "notifications": filter })).await;
        assert!(error["message"].as_str().unwrap().contains(words), "{error}");
    }
    let text =
        client.message(&json!(77), "subscriptions/listen", json!({ "notifications": { "toolsListChanged": 1 } }));
    let error = client.refused(&text.to_string()).await;
    assert_eq!(error["code"], -32602);
}

#[tokio::test]
async fn limits_the_subscriptions_of_a_client() {
    for (server, most) in [(server(), 256), (server().max_subscriptions_per_client(2), 2)] {
        let service = server.build().unwrap();
        let mut client = Client::open(&service, Revision::LATEST).await;
        for _ in 0..most {
            listen(&mut client, json!({})).await;
        }
        let error = client.error("subscriptions/listen", json!({ "notifications": {} })).await;
        let words = format!("limit of {most} subscriptions");
        assert!(error["message"].as_str().unwrap().contains(&words), "{error}");
    }
}

#[tokio::test]
async fn a_server_that_cannot_change_has_no_subscriptions() {
    let service = Server::new("fixed", "1").tools(tools![add_nothing]).build().unwrap();
    let mut client = Client::open(&service, Revision::LATEST).await;
    assert_eq!(client.result("server/discover", json!({})).await["capabilities"]["tools"], json!({}));
    let error = client.error("subscriptions/listen", json!({ "notifications": {} })).await;
    assert_eq!(error["code"], -32601);
}

#[tokio::test]
async fn a_slow_subscriber_holds_up_no_other_and_gets_one_notice() {
    const CLIENTS: usize = 10_000;
    let service = service();
    let subscribe = json!({
        "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {
            "notifications": { "toolsListChanged": true },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let mut clients: Vec<MemoryClient> = Vec::new();
    for _ in 0..=CLIENTS {
        let mut client = service.memory();
        client.send(&subscribe.to_string()).await;
        client.receive().await.unwrap();
        clients.push(client);
    }
    let mut slow = clients.pop().unwrap();
    for round in 0..3 {
        service.tools().add(echo(&format!("tool_{round}"))).unwrap();
        for client in &mut clients {
            let notice = timeout(Duration::from_secs(30), client.receive())
                .await
                .expect("the client `slow` must not delay the others");
            assert!(notice.unwrap().contains("notifications/tools/list_changed"));
        }
    }
    // The slow client has read none of the three notices. One is in its connection, and one waits.
    for _ in 0..2 {
        let notice = timeout(Duration::from_secs(60), slow.receive()).await.expect("a notice is there");
        assert!(notice.unwrap().contains("notifications/tools/list_changed"));
    }
    assert!(timeout(SETTLED, slow.receive()).await.is_err(), "a third notice");
}

/// Every client that reads a list after each notice has seen every change at the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_change_is_lost_under_concurrency() {
    let service = service();
    let done = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..8)
        .map(|_| {
            let service = service.clone();
            tokio::spawn(async move {
                let mut client = Client::open(&service, Revision::LATEST).await;
                listen(&mut client, json!({ "toolsListChanged": true })).await;
                let mut notices = 0;
                let mut list = client.result("tools/list", json!({})).await;
                while !names(&list).contains(&"end") {
                    notices += client.notifications().len();
                    let notice = timeout(Duration::from_secs(20), client.next()).await.expect("a notice was lost");
                    assert_eq!(notice["method"], "notifications/tools/list_changed");
                    notices += 1;
                    list = client.result("tools/list", json!({})).await;
                }
                notices + client.notifications().len()
            })
        })
        .collect();
    let writer = {
        let (service, done) = (service.clone(), Arc::clone(&done));
        std::thread::spawn(move || {
            for index in 0..400 {
                service.tools().add(echo(&format!("tool_{index}"))).unwrap();
                if index % 7 == 0 {
                    std::thread::sleep(Duration::from_millis(1));
                }
                assert!(service.tools().remove(&format!("tool_{index}")));
            }
            service.tools().add(echo("end")).unwrap();
            done.store(true, Ordering::Release);
        })
    };
    for reader in readers {
        let notices = reader.await.unwrap();
        // A reader that begins after the last change gets none.
        assert!(notices <= 801, "{notices} notices of 801 changes");
    }
    writer.join().unwrap();
    assert!(done.load(Ordering::Acquire));
}
