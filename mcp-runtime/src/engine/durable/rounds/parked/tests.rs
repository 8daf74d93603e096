#![allow(unused_imports, reason = "expansions import traits that only other crates need")]

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::task::AbortHandle;

use super::{
    eviction_order::Loss,
    slots::{SlotOwner, Slots},
};
use crate::{
    Result, Server, Service,
    engine::{
        call::call_id::CallId,
        durable::ledger::{MemoryLedger, tests::forwarding::ForwardingLedger},
    },
    prelude::*,
};

fn owner(name: &str) -> SlotOwner {
    (!name.is_empty()).then(|| name.into())
}

/// Inserts calls one after another. Returns, for each call, the value that it evicted.
fn fill(slots: &mut Slots<u32>, calls: &[(u32, &str, Loss)]) -> Vec<Option<u32>> {
    let mut given_up = Vec::new();
    for (value, name, loss) in calls {
        let [replaced, spare, gone] = slots.insert(CallId::random(), owner(name), *loss, *value);
        assert_eq!(replaced, None);
        given_up.push(spare.or(gone));
    }
    given_up
}

#[test]
fn evicts_nothing_while_there_is_room() {
    let mut slots = Slots::new(4, 4, 0);
    let given_up = fill(&mut slots, &[(1, "", Loss::Call), (2, "", Loss::Time), (3, "", Loss::Call)]);
    assert_eq!(given_up, [None; 3]);
}

#[test]
fn evicts_rebuildable_calls_first_and_then_the_oldest() {
    let mut slots = Slots::new(4, 4, 0);
    fill(&mut slots, &[(1, "", Loss::Call), (2, "", Loss::Time), (3, "", Loss::Call), (4, "", Loss::Time)]);
    let given_up = fill(&mut slots, &[(5, "", Loss::Call), (6, "", Loss::Call), (7, "", Loss::Call)]);
    assert_eq!(given_up, [Some(2), Some(4), Some(1)]);
}

#[test]
fn limits_rebuildable_calls() {
    let mut slots = Slots::new(16, 2, 0);
    fill(&mut slots, &[(1, "", Loss::Call), (2, "ada", Loss::Time), (3, "", Loss::Time)]);
    let given_up = fill(&mut slots, &[(4, "", Loss::Time), (5, "", Loss::Call), (6, "eve", Loss::Time)]);
    assert_eq!(given_up, [Some(3), None, Some(2)]);
    slots.check();
}

#[test]
fn owners_evict_their_own_calls() {
    let mut slots = Slots::new(16, 16, 0);
    fill(&mut slots, &[(1, "", Loss::Time), (2, "ada", Loss::Call), (3, "", Loss::Call), (4, "bob", Loss::Time)]);
    // An owner's share of sixteen is two, even if there is room.
    assert_eq!(fill(&mut slots, &[(5, "ada", Loss::Call)]), [None]);
    assert_eq!(fill(&mut slots, &[(6, "ada", Loss::Time)]), [Some(2)]);
    assert_eq!(fill(&mut slots, &[(7, "ada", Loss::Call)]), [Some(6)]);
    // The other slots are for callers without an identity.
    let others: Vec<_> = (10..21).map(|value| (value, "", Loss::Call)).collect();
    assert_eq!(fill(&mut slots, &others), [None; 11]);
    assert_eq!(fill(&mut slots, &[(21, "", Loss::Call), (22, "", Loss::Call)]), [Some(1), Some(3)]);
    // An owner without entries evicts an entry of another owner.
    assert_eq!(fill(&mut slots, &[(23, "eve", Loss::Call), (24, "eve", Loss::Call)]), [Some(4), Some(23)]);
}

#[test]
fn call_has_one_entry() {
    let mut slots = Slots::new(16, 16, 0);
    let call = CallId::random();
    assert_eq!(slots.insert(call, owner("ada"), Loss::Call, 1), [None; 3]);
    for round in 2..100 {
        assert_eq!(slots.insert(call, owner("ada"), Loss::Call, round), [Some(round - 1), None, None]);
    }
    assert_eq!((slots.get(call), slots.iter().count()), (Some(&99), 1));
    assert_eq!(slots.remove(call), Some(99));
    assert_eq!(slots.remove(call), None);
    assert!(slots.is_empty());
    // Nothing is counted any more.
    assert_eq!(fill(&mut slots, &[(1, "ada", Loss::Call), (2, "ada", Loss::Call)]), [None, None]);
}

#[test]
fn indices_agree_after_random_operations() {
    let mut slots = Slots::new(64, 16, 0);
    let (mut open, mut state) = (Vec::new(), 1_u32);
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state as usize >> 8) & 0xffff) % below.max(1)
    };
    for value in 0..10_000 {
        if random(3) == 0 && !open.is_empty() {
            let index = random(open.len()) % open.len();
            slots.remove(open.swap_remove(index));
            continue;
        }
        let (name, loss) = (["", "ada", "bob", "eve"][random(4) % 4], [Loss::Time, Loss::Call][random(2) % 2]);
        let call = CallId::random();
        slots.insert(call, owner(name), loss, value);
        open.push(call);
        open.retain(|call| slots.get(*call).is_some());
        assert!(open.len() <= 64);
        slots.check();
    }
    for call in open {
        slots.remove(call);
    }
    slots.check();
    assert!(slots.is_empty());
}

#[elicits]
enum Question {
    Sure { sure: bool },
}

/// Asks.
#[mcp_tool]
async fn plain(ctx: &Ctx<Question>, text: String) -> Result<String> {
    let Sure { sure } = ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("{text} {sure}"))
}

/// A tool that asks, and waits for the answer for up to a day.
#[mcp_tool(answer_within = "24h")]
async fn patient(ctx: &Ctx<Question>, text: String) -> Result<String> {
    let Sure { sure } = ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("{text} {sure}"))
}

/// A tool that asks, and whose calls can be rebuilt.
#[mcp_tool(replayable)]
async fn replayable(ctx: &Ctx<Question>, text: String) -> Result<String> {
    let Sure { sure } = ctx.elicit::<Sure>("Sure?").strict().await?;
    Ok(format!("{text} {sure}"))
}

/// Creates a service and its ledger, with `calls` calls of a tool that wait for their second round.
async fn parked(tool: &str, calls: u32) -> (Service, MemoryLedger) {
    let ledger = MemoryLedger::new();
    let server = Server::new("test", "1").tools(tools![plain, patient, replayable]).ledger(ledger.clone());
    let service = server.build().unwrap();
    let mut client = service.memory();
    for id in 0..calls {
        client.send(&request(tool, id).to_string()).await;
        assert!(client.receive().await.unwrap().contains("input_required"));
    }
    (service, ledger)
}

fn request(tool: &str, id: u32) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
        "name": tool,
        "arguments": { "text": "something" },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        },
    }})
}

fn futures(service: &Service) -> usize {
    service.0.durable.parking().0.lock().slots.iter().filter(|(_, slot)| slot.running.is_some()).count()
}

fn places(service: &Service) -> usize {
    service.0.durable.parking().0.lock().slots.iter().count()
}

const CALLS: usize = 1000;
const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test(start_paused = true)]
async fn parked_calls_expire() {
    for tool in ["plain", "replayable"] {
        let (service, _) = parked(tool, CALLS as u32).await;
        assert_eq!((futures(&service), places(&service)), (CALLS, CALLS));
        tokio::time::sleep(15 * MINUTE - Duration::from_secs(1)).await;
        assert_eq!(futures(&service), CALLS);
        tokio::time::sleep(MINUTE).await;
        // Without the feature `seal` the journal stays in the process.
        let journals = if tool == "replayable" && cfg!(not(feature = "seal")) { CALLS } else { 0 };
        assert_eq!((futures(&service), places(&service)), (0, journals), "{tool}");
        tokio::time::sleep(45 * MINUTE).await;
        assert_eq!(places(&service), 0, "{tool}");
        assert!(service.0.durable.parking().0.lock().sweeper.is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn call_that_cannot_be_rebuilt_is_parked_until_its_state_expires() {
    let (service, _) = parked("patient", 1).await;
    tokio::time::sleep(24 * 60 * MINUTE - Duration::from_secs(1)).await;
    assert_eq!(futures(&service), 1);
    tokio::time::sleep(MINUTE).await;
    assert_eq!(places(&service), 0);
}

#[test]
fn sweeping_can_restart_in_another_runtime() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let (service, _) = runtime().block_on(parked("plain", 1));
    assert!(service.0.durable.parking().0.lock().sweeper.as_ref().is_some_and(AbortHandle::is_finished));
    assert_eq!(places(&service), 1);
}

#[tokio::test]
async fn call_whose_future_is_evicted_while_its_round_is_claimed_is_rebuilt_if_it_can() {
    for (tool, expected) in [("replayable", "something true"), ("plain", "`requestState` has expired")] {
        let evicting = Arc::<OnceLock<Service>>::default();
        let evicts = Arc::clone(&evicting);
        let ledger = ForwardingLedger::observed(move || {
            evicts.get().inspect(|service| service.0.durable.parking().forget_futures());
        });
        let service = Server::new("test", "1").tools(tools![plain, replayable]).ledger(ledger).build().unwrap();
        let mut client = service.memory();
        client.send(&request(tool, 1).to_string()).await;
        let asked: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
        assert!(evicting.set(service.clone()).is_ok());
        let mut answer = request(tool, 2);
        let (key, _) = asked["result"]["inputRequests"].as_object().unwrap().iter().next().unwrap();
        answer["params"]["requestState"] = asked["result"]["requestState"].clone();
        answer["params"]["inputResponses"] = json!({ key: { "action": "accept", "content": { "sure": true } } });
        client.send(&answer.to_string()).await;
        let reply = client.receive().await.unwrap();
        assert!(reply.contains(expected), "{tool}: {reply}");
    }
}
