//! The code of the page `surviving`.
#![cfg(test)]

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    MemoryClient, Result, Service, in_every_mode,
    prelude::*,
    store::{KeyRing, SqliteStore},
    testing::{Client, Fault},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[elicits]
#[derive(Debug)]
enum Transfer {
    Confirm { confirmed: bool },
}

// ANCHOR: handoff
/// What `before` found out, and `after` needs.
#[derive(Serialize, Deserialize)]
struct Order {
    to: String,
    holder: String,
    cents: u64,
}

struct TransferMoney;

/// Transfers money if the user confirms it.
#[handoff(destructive, answer_within = "24h")]
impl TransferMoney {
    async fn before(&self, bank: &Bank, to: String, cents: u64) -> Order {
        Order { holder: bank.holder(&to), to, cents }
    }

    async fn client(ctx: &Ctx<Transfer>, order: &Order) -> Result<bool> {
        let question = format!("Send {} cents to {}?", order.cents, order.holder);
        Ok(ctx.elicit::<Confirm>(question).strict().await?.confirmed)
    }

    async fn after(&self, bank: &Bank, ctx: &PhaseCtx, order: Order, confirmed: bool) -> Result<String> {
        if !confirmed {
            return Ok("Nothing is sent.".to_owned());
        }
        bank.book(&order.to, order.cents, &ctx.idempotency_key("after")).await
    }
}
// ANCHOR_END: handoff

/// A bank that counts what happens.
#[derive(Clone, Default)]
struct Bank {
    looked_up: Arc<AtomicU32>,
    booked: Arc<Mutex<Vec<String>>>,
    /// The bank never answers, as if the process stopped in the middle of `after`.
    hangs: bool,
}

impl Bank {
    fn holder(&self, _account: &str) -> String {
        self.looked_up.fetch_add(1, Ordering::Relaxed);
        "Ada".to_owned()
    }

    async fn book(&self, to: &str, cents: u64, key: &str) -> Result<String> {
        self.booked.lock().unwrap().push(key.to_owned());
        if self.hangs {
            std::future::pending::<()>().await;
        }
        Ok(format!("Sent {cents} cents to {to}."))
    }

    fn booked(&self) -> usize {
        self.booked.lock().unwrap().len()
    }

    fn looked_up(&self) -> u32 {
        self.looked_up.load(Ordering::Relaxed)
    }
}

// ANCHOR: every_mode
#[tokio::test]
async fn money_moves_once_in_every_mode() {
    in_every_mode!(|mode| {
        let bank = Bank::default();
        let mut client = mode.client(|| Server::new("bank", "1.0.0").state(bank.clone()).tool(TransferMoney));
        let call = client.call("transfer_money", json!({ "to": "7300", "cents": 1200 }));
        let sent = call.accept(Confirm { confirmed: true }).await;
        assert_eq!(sent.text(), "Sent 1200 cents to 7300.");
        mode.same("bookings", bank.booked());
        mode.same("look-ups", bank.looked_up());
    });
}
// ANCHOR_END: every_mode

// ANCHOR: store
/// Builds an instance: all instances open the same file, and have the same keys.
fn instance(bank: &Bank, ledger: &PathBuf, keys: KeyRing) -> Service {
    Server::new("bank", "1.0.0")
        .store(SqliteStore::open(ledger).unwrap())
        .state_keys(keys)
        .lease(Duration::from_secs(1))
        .state(bank.clone())
        .tool(TransferMoney)
        .tool(TransferAgain)
        .tools(tools![order_tea])
        .build()
        .unwrap()
}
// ANCHOR_END: store

/// A file that is removed with its test.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("guides-surviving-{name}-{}.db", std::process::id())))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", self.0.display()));
        }
    }
}

// ANCHOR: two_instances
#[tokio::test]
async fn the_next_round_reaches_another_instance() {
    let (file, keys, bank) = (File::new("instances"), KeyRing::random(), Bank::default());
    let [one, other] = [(); 2].map(|()| instance(&bank, &file.0, keys.clone()));
    let mut client = Client::modern(&one).taking_turns_with(&other);
    let call = client.call("transfer_money", json!({ "to": "7300", "cents": 1200 }));
    assert_eq!(call.accept(Confirm { confirmed: true }).await.text(), "Sent 1200 cents to 7300.");
    assert_eq!((bank.looked_up(), bank.booked()), (1, 1));
}
// ANCHOR_END: two_instances

/// Sends a request of `transfer_money` with more members of `params`.
async fn send(wire: &mut MemoryClient, more: Value) {
    let mut params = json!({ "name": "transfer_money", "arguments": { "to": "7300", "cents": 1200 }, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    }});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    wire.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()).await;
}

async fn reply(wire: &mut MemoryClient) -> Value {
    serde_json::from_str(&wire.receive().await.unwrap()).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

// ANCHOR: killed
#[test]
fn a_server_that_dies_in_the_effect_does_not_repeat_it() {
    let (file, keys) = (File::new("killed"), KeyRing::random());
    let bank = Bank { hangs: true, ..Bank::default() };
    let last_round = killed_in_the_effect("transfer_money", &instance(&bank, &file.0, keys.clone()), &bank);

    // The client sends the same request to the next server.
    runtime().block_on(async {
        let mut wire = instance(&bank, &file.0, keys).memory();
        send(&mut wire, last_round).await;
        let error = &reply(&mut wire).await["error"];
        assert_eq!(error["code"], -32603);
        assert!(error["message"].as_str().unwrap().contains("its outcome is unknown"), "{error}");
        assert_eq!(error["data"]["idempotencyKey"], bank.booked.lock().unwrap()[0]);
    });
    assert_eq!((bank.looked_up(), bank.booked()), (1, 1));
}

/// Calls a tool up to its effect. Then the server is gone with all its tasks. Returns the last request.
fn killed_in_the_effect(tool: &str, service: &Service, bank: &Bank) -> Value {
    runtime().block_on(async {
        let mut wire = service.memory();
        send(&mut wire, json!({ "name": tool })).await;
        let asked = reply(&mut wire).await;
        let yes = json!({ "confirm": { "action": "accept", "content": { "confirmed": true } } });
        let state = &asked["result"]["requestState"];
        let last_round = json!({ "name": tool, "requestState": state, "inputResponses": yes });
        send(&mut wire, last_round.clone()).await;
        while bank.booked() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        last_round
    })
}
// ANCHOR_END: killed

struct TransferAgain;

/// Transfers money if the user confirms it. The bank ignores a key that it knows.
#[handoff(idempotent)]
impl TransferAgain {
    async fn before(&self, to: String, cents: u64) -> (String, u64) {
        (to, cents)
    }

    async fn client(ctx: &Ctx<Transfer>, order: &(String, u64)) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>(format!("Send {} cents?", order.1)).strict().await?.confirmed)
    }

    async fn after(&self, bank: &Bank, ctx: &PhaseCtx, order: (String, u64), _confirmed: bool) -> Result<String> {
        bank.book(&order.0, order.1, &ctx.idempotency_key("after")).await
    }
}

// ANCHOR: idempotent
#[test]
fn an_idempotent_effect_runs_again_with_the_same_key() {
    let (file, keys) = (File::new("idempotent"), KeyRing::random());
    let bank = Bank { hangs: true, ..Bank::default() };
    let last_round = killed_in_the_effect("transfer_again", &instance(&bank, &file.0, keys.clone()), &bank);

    let bank = Bank { hangs: false, ..bank };
    runtime().block_on(async {
        let mut wire = instance(&bank, &file.0, keys).memory();
        send(&mut wire, last_round).await;
        assert_eq!(reply(&mut wire).await["result"]["content"][0]["text"], "Sent 1200 cents to 7300.");
    });
    let keys = bank.booked.lock().unwrap();
    assert_eq!((keys.len(), &keys[0]), (2, &keys[1]));
}
// ANCHOR_END: idempotent

// ANCHOR: replayable
/// Orders tea together with the user.
#[mcp_tool(replayable)]
async fn order_tea(bank: &Bank, ctx: &Ctx<Transfer>, grams: u32) -> Result<String> {
    let number = ctx.random() % 10_000;
    let price = ctx.step("quote", quote(grams)).await?;
    let sure = ctx.elicit::<Confirm>(format!("Order {number}: {grams} g for {price} cents?")).strict().await?;
    if !sure.confirmed {
        return Err("the user does not want it".into());
    }
    let key = ctx.idempotency_key("pay");
    ctx.try_step("pay", bank.book("tea", price, &key)).await
}
// ANCHOR_END: replayable

async fn quote(grams: u32) -> u64 {
    u64::from(grams) * 4
}

// ANCHOR: replay_safe
#[tokio::test]
async fn a_replay_asks_the_same() {
    let bank = Bank::default();
    let service = Server::new("tea", "1.0.0").state(bank.clone()).tools(tools![order_tea]).build().unwrap();
    let mut client = Client::modern(&service).fault(Fault::Restarts);
    let call = client.call("order_tea", json!({ "grams": 100 })).accept(Confirm { confirmed: true });
    assert!(call.await.text().starts_with("Sent 400 cents to tea"));
    assert_eq!(bank.booked(), 1);

    let mut client = Client::modern(&service);
    let call = client.call("order_tea", json!({ "grams": 100 })).accept(Confirm { confirmed: true });
    call.assert_replay_safe().await;
}
// ANCHOR_END: replay_safe

// ANCHOR: idempotency_key
#[tokio::test]
async fn a_repeated_first_request_is_a_new_call_without_a_key() {
    let bank = Bank::default();
    let service = Server::new("bank", "1.0.0").state(bank.clone()).tool(TransferMoney).build().unwrap();
    let mut wire = service.memory();
    for (keyed, looked_up) in [(json!({}), 2), (json!({ "idempotency-key": "tuesday" }), 3)] {
        for _ in 0..2 {
            let mut meta = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
            });
            meta.as_object_mut().unwrap().extend(keyed.as_object().unwrap().clone());
            send(&mut wire, json!({ "_meta": meta })).await;
            assert_eq!(reply(&mut wire).await["result"]["resultType"], "input_required");
        }
        assert_eq!(bank.looked_up(), looked_up);
    }
}
// ANCHOR_END: idempotency_key
