//! Layers around multi-round calls.

use std::sync::atomic::{AtomicBool, Ordering};

use mcp_runtime::in_every_mode;

use super::*;
use crate::asking::{ASKING, Pick, Sure, pick};

/// Cooks what the user picks.
struct Cook(Seen);

/// Cooks a dish.
#[handoff]
impl Cook {
    async fn before(&self, guests: u8) -> u8 {
        self.0.note("before");
        guests
    }

    async fn client(ctx: &Ctx<crate::asking::Dinner>, guests: &u8) -> Result<Option<String>> {
        let dish = ctx.elicit::<Pick>(format!("What for {guests}?")).strict().await?.dish;
        let sure = ctx.elicit::<Sure>(format!("{dish}?")).strict().await?.sure;
        Ok(sure.then_some(dish))
    }

    async fn after(&self, guests: u8, dish: Option<String>) -> String {
        self.0.note("after");
        dish.map_or_else(|| "nothing".to_owned(), |dish| format!("{guests} {dish}"))
    }
}

#[tokio::test]
async fn a_multi_round_call_is_one_call_for_a_layer() {
    in_every_mode!(|mode| {
        let seen = Seen::default();
        let server = || Server::new("test", "1").layer(Watcher("layer", seen.clone())).tool(Cook(seen.clone()));
        let mut client = mode.client(server);
        let cooked = client.call("cook", json!({ "guests": 2 })).accept(pick("soup")).accept(Sure { sure: true }).await;
        assert_eq!(cooked.text(), "2 soup");
        let seen = seen.take();
        // An evicted or cut off future is dropped, and a replayed call resumes.
        let once = seen.iter().filter(|what| !what.ends_with("dropped") && !what.ends_with("resumes"));
        let expected = ["layer: admits cook", "layer: begins", "before", "after", "layer: result \"2 soup\""];
        assert!(once.eq(expected.iter()), "{}: {seen:?}", mode.name());
    });
}

#[tokio::test]
async fn a_replayed_call_resumes_without_a_new_admission() {
    let seen = Seen::default();
    let service = Server::new("test", "1").layer(Watcher("layer", seen.clone())).tool(Cook(seen.clone())).build();
    let mut client = Client::modern(&service.unwrap()).rebuilding();
    client.call("cook", json!({ "guests": 2 })).accept(pick("soup")).accept(Sure { sure: true }).await;
    let expected = [
        "layer: admits cook",
        "layer: begins",
        "before",
        "layer: dropped",
        "layer: resumes",
        "layer: dropped",
        "layer: resumes",
        "after",
        "layer: result \"2 soup\"",
        "layer: dropped",
    ];
    assert_eq!(seen.take(), expected);
}

#[tokio::test]
async fn a_rejected_call_does_not_run_its_tool() {
    for rejects in [true, false] {
        for revision in ASKING {
            let seen = Seen::default();
            let reject = layer::admit_fn(move |_| async move {
                match rejects {
                    true => Err(Rejection::too_many_requests("2 dishes per hour", Duration::from_secs(60)).into()),
                    false => Err("the kitchen is closed".into()),
                }
            });
            let server = Server::new("test", "1").layer(Watcher("outer", seen.clone())).layer(reject);
            let service = server.layer(Watcher("inner", seen.clone())).tool(Cook(seen.clone())).build().unwrap();
            let outcome = Client::new(&service, revision).call("cook", json!({ "guests": 2 })).await;
            assert!(outcome.asked().is_empty());
            let why = if rejects { "2 dishes per hour" } else { "the kitchen is closed" };
            let end = format!("outer: err {why}");
            assert_eq!(seen.take(), ["outer: admits cook", "outer: begins", &end, "outer: dropped"], "{revision}");
            match outcome.error() {
                Some(error) => {
                    assert!(rejects);
                    assert_eq!((error.code, &*error.message), (-32603, why));
                    assert_eq!(error.data, json!({ "retryAfterMs": 60_000 }));
                }
                None => assert_eq!((rejects, &*outcome.text()), (false, why)),
            }
        }
    }
}

/// The call moves to another instance, so it is replayed.
#[tokio::test]
async fn a_rejection_in_a_later_round_leaves_the_round_open() {
    use mcp_runtime::store::{KeyRing, Ledger, MemoryLedger};

    let seen = Seen::default();
    let is_open = Arc::new(AtomicBool::new(false));
    let opened = Arc::clone(&is_open);
    let guard = layer::from_fn(move |call: CallInfo, next: Next| {
        let is_open = Arc::clone(&opened);
        async move {
            assert!(call.is_resumed());
            if !is_open.load(Ordering::Relaxed) {
                return Err(Rejection::unavailable("closed for a moment", Duration::from_secs(1)).into());
            }
            next.run().await
        }
    });
    let ledger: Arc<dyn Ledger> = Arc::new(MemoryLedger::new());
    let server = || {
        let server = Server::new("test", "1").ledger(Arc::clone(&ledger)).state_keys(KeyRing::new([7; 32]));
        server.tool(Cook(seen.clone()))
    };
    let mut first = server().build().unwrap().memory();
    let mut second = server().layer(guard).build().unwrap().memory();
    let mut params = json!({ "name": "cook", "arguments": { "guests": 2 }, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
    }});
    let call = async |client: &mut MemoryClient, params: &Value| {
        send(client, json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await;
        serde_json::from_str::<Value>(&client.receive().await.unwrap()).unwrap()
    };
    let asked = call(&mut first, &params).await;
    params["requestState"] = asked["result"]["requestState"].clone();
    params["inputResponses"] = json!({ "pick": { "action": "accept", "content": { "dish": "soup" } } });
    for _ in 0..2 {
        let rejected = call(&mut second, &params).await;
        assert_eq!(rejected["error"]["message"], "closed for a moment", "{rejected}");
    }
    is_open.store(true, Ordering::Relaxed);
    let asked = call(&mut second, &params).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    assert_eq!(asked["result"]["inputRequests"]["sure"]["params"]["message"], "soup?", "{asked}");
    assert_eq!(seen.take(), ["before"]);
}
