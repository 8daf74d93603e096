//! Calls that ask two questions in a row, with every store that a host can have.

use std::{
    iter::once,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    Result,
    plugin::{PluginCall, PluginHost},
    prelude::*,
    store::KeyRing,
};
use serde_json::json;
use tokio::time::sleep;

use crate::plugin::support::{
    Confirm, Kitchen, Menu, Order, Pick, accept, events, life, order, question, server, types,
};
use crate::support::stores::Store;

/// Counts how often a tool begins.
#[derive(Clone, Default)]
struct Beginnings(Arc<AtomicU32>);

/// Asks two questions, and cannot be rebuilt.
#[mcp_tool]
async fn plain(beginnings: &Beginnings, ctx: &Ctx<Menu>) -> Result<String> {
    beginnings.0.fetch_add(1, Ordering::SeqCst);
    ask_twice(ctx).await
}

/// Asks two questions, and can be rebuilt.
#[mcp_tool(replayable)]
async fn replayed(beginnings: &Beginnings, ctx: &Ctx<Menu>) -> Result<String> {
    beginnings.0.fetch_add(1, Ordering::SeqCst);
    ask_twice(ctx).await
}

async fn ask_twice(ctx: &Ctx<Menu>) -> Result<String> {
    let pick = ctx.elicit::<Pick>("What?").strict().await?;
    let sure = ctx.elicit::<Confirm>(format!("{} × {}?", pick.portions, pick.dish)).strict().await?;
    Ok(format!("{} × {}: {}", pick.portions, pick.dish, sure.confirmed))
}

async fn start(kitchen: &Kitchen, beginnings: &Beginnings, store: Option<&Store>) -> PluginHost {
    let mut server = server(kitchen).state(beginnings.clone()).tools(tools![plain, replayed]).tool(Order);
    if let Some(store) = store {
        let store = store.open().await;
        server = server.store((store.ledger, store.runs)).state_keys(KeyRing::new([7; 32]));
    }
    PluginHost::builder(server.lease(Duration::from_millis(300))).start().await.unwrap()
}

/// Answers both questions, and returns the text of the result.
async fn answer_both(call: &PluginCall) -> String {
    let message = async |seq| question(call, seq).await.message;
    assert_eq!(message(1).await, "What?");
    call.answer(1, Elicited::Accept(Pick { dish: "soup".into(), portions: 2 })).await.unwrap();
    assert_eq!(message(2).await, "2 × soup?");
    call.answer(2, Elicited::Accept(Confirm { confirmed: true })).await.unwrap();
    call.outcome().await.text()
}

#[test]
fn two_questions_in_a_row_are_answered_with_every_store() {
    let stores = Store::all();
    for store in once(None).chain(stores.iter().map(Some)) {
        let name = store.map_or("no store", Store::name);
        life(async {
            let (kitchen, beginnings) = (Kitchen::default(), Beginnings::default());
            let host = start(&kitchen, &beginnings, store).await;
            for tool in ["plain", "replayed"] {
                let call = host.call_as("ann", tool, json!({})).await.unwrap();
                assert_eq!(answer_both(&call).await, "2 × soup: true", "{tool}, {name}");
                let seen = types(&events(call).await);
                assert_eq!(seen, ["started", "elicit", "answered", "elicit", "answered", "finished"], "{tool}, {name}");
            }
            assert_eq!(beginnings.0.load(Ordering::SeqCst), 2, "{name}");
            let call = host.call_as("ann", "order", json!({ "dishes": 3 })).await.unwrap();
            assert_eq!(order(&call).await, "ordered 2 × soup of 3", "{name}");
            assert_eq!(kitchen.counts(), (1, 1), "{name}");
            assert!(host.open_calls_as("ann").is_empty(), "{name}");
        });
    }
}

/// The application ends at each question.
#[test]
fn two_questions_in_a_row_are_answered_by_three_processes() {
    for store in Store::of_processes() {
        for tool in ["replayed", "order"] {
            let (kitchen, beginnings) = (Kitchen::default(), Beginnings::default());
            let arguments = if tool == "order" { json!({ "dishes": 3 }) } else { json!({}) };
            let host = async || start(&kitchen, &beginnings, Some(&store)).await;
            let id = life(async {
                let call = host().await.call_as("ann", tool, arguments).await.unwrap();
                question(&call, 1).await;
                call.id().to_owned()
            });
            life(async {
                let call = host().await.find_as("ann", &id).await.unwrap();
                question(&call, 1).await;
                call.answer(1, Elicited::Accept(Pick { dish: "soup".into(), portions: 2 })).await.unwrap();
                question(&call, 2).await;
            });
            let text = life(async {
                let call = host().await.find_as("ann", &id).await.unwrap();
                question(&call, 2).await;
                call.answer(2, Elicited::Accept(Confirm { confirmed: true })).await.unwrap();
                call.outcome().await.text()
            });
            let (expected, counts) = match tool {
                "order" => ("ordered 2 × soup of 3", (1, 1)),
                _ => ("2 × soup: true", (0, 0)),
            };
            assert_eq!((&*text, kitchen.counts()), (expected, counts), "{}", store.name());
        }
    }
}

/// A call that waits for long keeps its journal, and not its future.
#[tokio::test(start_paused = true)]
async fn a_call_without_a_store_is_rebuilt_if_its_user_takes_long() {
    const LONG: Duration = Duration::from_secs(20 * 60);
    let (kitchen, beginnings) = (Kitchen::default(), Beginnings::default());
    let host = start(&kitchen, &beginnings, None).await;
    let calls = [
        host.call_as("ann", "replayed", json!({})).await.unwrap(),
        host.call("order", json!({ "dishes": 3 })).await.unwrap(),
    ];
    for (seq, answer) in [(1, json!({ "dish": "soup", "portions": 2 })), (2, json!({ "confirmed": true }))] {
        for call in &calls {
            question(call, seq).await;
        }
        sleep(LONG).await;
        for call in &calls {
            call.answer_json(seq, accept(answer.clone())).await.unwrap();
        }
    }
    assert_eq!(calls[0].outcome().await.text(), "2 × soup: true");
    assert_eq!(calls[1].outcome().await.text(), "ordered 2 × soup of 3");
    assert_eq!(beginnings.0.load(Ordering::SeqCst), 3, "once for each round");
    assert_eq!(kitchen.counts(), (1, 1));
}
