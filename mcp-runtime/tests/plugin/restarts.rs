//! Calls that survive a restart of the application.

use std::time::Duration;

use mcp_runtime::{
    Elicited, Server,
    plugin::{CallStatus, PluginError, PluginHost, PluginLimits},
    store::KeyRing,
    tools,
};
use serde_json::json;

use crate::plugin::support::{Confirm, Kitchen, Order, Pick, events, keep, life, question, server, types};
use crate::support::stores::Store;

async fn start(kitchen: &Kitchen, store: &Store) -> PluginHost {
    let server = stored(server(kitchen), store).await.lease(Duration::from_millis(300));
    PluginHost::builder(server.tool(Order)).start().await.unwrap()
}

async fn stored(server: Server, store: &Store) -> Server {
    let store = store.open().await;
    server.store((store.ledger, store.runs)).state_keys(KeyRing::new([7; 32]))
}

#[test]
fn a_call_goes_on_at_its_open_question() {
    for store in Store::of_processes() {
        let kitchen = Kitchen::default();
        let (id, before) = life(async {
            let host = start(&kitchen, &store).await;
            let call = host.call_as("ann", "order", json!({ "dishes": 2 })).await.unwrap();
            question(&call, 1).await;
            call.answer(1, Elicited::Accept(Pick { dish: "pasta".into(), portions: 4 })).await.unwrap();
            question(&call, 2).await;
            (call.id().to_owned(), host.find_as("ann", call.id()).await.unwrap().question())
        });
        let seen = life(async {
            let host = start(&kitchen, &store).await;
            assert!(matches!(host.find_as("bob", &id).await, Err(PluginError::UnknownCall)));
            let call = host.find_as("ann", &id).await.unwrap();
            assert_eq!(call.status(), CallStatus::InputRequired);
            let asked = question(&call, 2).await;
            assert_eq!(Some(&asked), before.as_ref());
            assert_eq!(asked.message, "Order 4 × pasta?");
            assert_eq!(asked.handoff, Some(json!(["soup", "pasta"])));
            call.answer(2, Elicited::Accept(Confirm { confirmed: true })).await.unwrap();
            assert_eq!(call.outcome().await.text(), "ordered 4 × pasta of 2");
            events(call).await
        });
        assert_eq!(kitchen.counts(), (1, 1));
        let expected = ["started", "log", "progress", "elicit", "answered", "elicit", "answered", "finished"];
        assert_eq!(types(&seen), expected);
        assert!(seen.windows(2).all(|pair| pair[0].id < pair[1].id), "{seen:?}");
        // The result is still there after one more restart, and the call is not open.
        life(async {
            let host = start(&kitchen, &store).await;
            assert!(host.open_calls_as("ann").is_empty());
            let call = host.find_as("ann", &id).await.unwrap();
            assert_eq!(call.status(), CallStatus::Finished);
            assert_eq!(call.outcome().await.text(), "ordered 4 × pasta of 2");
            assert!(matches!(call.answer(2, Elicited::<Confirm>::Decline).await, Err(PluginError::AlreadyAnswered)));
        });
        assert_eq!(kitchen.counts(), (1, 1));
    }
}

/// The process ends right after the answer is stored: the answer is not lost.
#[test]
fn a_stored_answer_is_sent_after_the_restart() {
    for store in Store::of_processes() {
        for round in 0..4 {
            let kitchen = Kitchen::default();
            let id = life(async {
                let host = start(&kitchen, &store).await;
                let call = host.call("order", json!({ "dishes": 1 })).await.unwrap();
                question(&call, 1).await;
                call.answer(1, Elicited::Accept(Pick { dish: "soup".into(), portions: 1 })).await.unwrap();
                tokio::time::sleep(Duration::from_micros(150 * round)).await;
                call.id().to_owned()
            });
            life(async {
                let host = start(&kitchen, &store).await;
                let call = host.find(&id).await.unwrap();
                question(&call, 2).await;
                call.answer(2, Elicited::Accept(Confirm { confirmed: true })).await.unwrap();
                assert_eq!(call.outcome().await.text(), "ordered 1 × soup of 1");
            });
            assert_eq!(kitchen.counts(), (1, 1));
        }
    }
}

#[test]
fn without_such_a_ledger_a_restart_forgets_the_calls() {
    let kitchen = Kitchen::default();
    let id = life(async {
        let host = crate::plugin::support::host(&kitchen).await;
        let call = host.call("order", json!({ "dishes": 1 })).await.unwrap();
        question(&call, 1).await;
        call.id().to_owned()
    });
    life(async {
        let host = crate::plugin::support::host(&kitchen).await;
        assert!(matches!(host.find(&id).await, Err(PluginError::UnknownCall)));
    });
}

#[test]
fn a_user_with_many_ended_calls_loses_the_oldest_in_the_store() {
    for store in Store::of_processes() {
        let start = async || {
            let server = stored(Server::new("kitchen", "1.0.0"), &store).await.tools(tools![keep]);
            let limits = PluginLimits::default().max_ended_calls_per_owner(1);
            PluginHost::builder(server).limits(limits).start().await.unwrap()
        };
        let ids: Vec<_> = life(async {
            let host = start().await;
            let mut ids = Vec::new();
            for owner in ["bob", "eve", "eve", "eve", "eve", "eve", "eve"] {
                // Invalid arguments: the call ends at once.
                let call = host.call_as(owner, "keep", json!({})).await.unwrap();
                call.outcome().await;
                ids.push(call.id().to_owned());
            }
            ids
        });
        life(async {
            let host = start().await;
            assert!(host.find_as("bob", &ids[0]).await.is_ok());
            let mut kept = Vec::new();
            for id in &ids[1..] {
                kept.push(host.find_as("eve", id).await.is_ok());
            }
            // The ledger keeps four times as many as the memory.
            assert_eq!(kept, [false, false, true, true, true, true]);
        });
    }
}
