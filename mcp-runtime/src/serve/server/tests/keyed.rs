//! A tool that does not ask, called with an idempotency key.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::{MemoryClient, Server, Service, engine::durable::ledger::tests::forwarding::ForwardingLedger, prelude::*};

/// An account that a charge takes its time with.
#[derive(Clone)]
struct Account {
    charged: Arc<AtomicUsize>,
    has_begun: Arc<Semaphore>,
    goes_on: Arc<Semaphore>,
}

impl Account {
    fn new() -> Self {
        let semaphore = || Arc::new(Semaphore::new(0));
        Self { charged: Arc::default(), has_begun: semaphore(), goes_on: semaphore() }
    }

    async fn charge(&self) -> Text<usize> {
        let charged = self.charged.fetch_add(1, Ordering::Relaxed) + 1;
        self.has_begun.add_permits(1);
        self.goes_on.acquire().await.unwrap().forget();
        Text(charged)
    }
}

/// Charges, which is an effect.
#[mcp_tool]
async fn charge(account: &Account) -> Text<usize> {
    account.charge().await
}

/// Charges, and may do so twice.
#[mcp_tool(idempotent)]
async fn charge_again(account: &Account) -> Text<usize> {
    account.charge().await
}

async fn call(client: &MemoryClient, id: usize, tool: &str) {
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "idempotency-key": "k",
    }}});
    client.send(&request.to_string()).await;
}

/// Calls a tool, and drops the connection when the tool has begun. Returns the text of the result of a second request
/// with the same key.
async fn call_twice(service: &Service, account: &Account, tool: &str) -> String {
    let client = service.memory();
    call(&client, 1, tool).await;
    account.has_begun.acquire().await.unwrap().forget();
    drop(client);
    let mut client = service.memory();
    call(&client, 2, tool).await;
    account.goes_on.add_permits(2);
    let reply: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
}

#[tokio::test]
async fn a_tool_that_does_not_ask_begins_once_for_each_key() {
    for (tool, charged) in [("charge", "1"), ("charge_again", "2")] {
        let account = Account::new();
        // A server that shares its ledger minds keys.
        let server = Server::new("bank", "1").ledger(ForwardingLedger::shared()).state(account.clone());
        let service = server.tools(tools![charge, charge_again]).build().unwrap();
        assert_eq!(call_twice(&service, &account, tool).await, charged);
    }
}
