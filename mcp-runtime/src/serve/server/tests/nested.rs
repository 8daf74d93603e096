//! The tasks that outlive a nested call end, and do not panic.

use std::{
    cell::Cell,
    future::ready,
    panic,
    sync::{Arc, Once},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};

use crate::{CallToolResult, Result, Server, Service, prelude::*, wire::protocol::revision::Revision};

thread_local! {
    /// How often code of this thread panicked. A test runs its tasks on its own thread.
    static PANICS: Cell<usize> = const { Cell::new(0) };
}

/// A payment that takes its time.
#[derive(Clone, Default)]
struct Payment {
    has_begun: Arc<Notify>,
    goes_on: Arc<Notify>,
    is_made: Arc<Notify>,
}

impl Payment {
    async fn make(&self) -> &'static str {
        self.has_begun.notify_one();
        self.goes_on.notified().await;
        self.is_made.notify_one();
        "paid"
    }

    /// Waits for `paying`, until the payment has begun.
    async fn give_up<T>(&self, paying: impl Future<Output = Result<T>>) -> String {
        tokio::select! {
            biased;
            paid = paying => format!("waited: {:?}", paid.err()),
            () = self.has_begun.notified() => "gave up".to_owned(),
        }
    }
}

#[elicits]
enum Order {
    Confirm { confirmed: bool },
}

/// Pays, which is an effect.
#[mcp_tool]
async fn pay(payment: &Payment) -> &'static str {
    payment.make().await
}

struct Reserve;

/// Reserves an item and pays for it, and then asks.
#[handoff]
impl Reserve {
    async fn before(&self, payment: &Payment) -> String {
        payment.make().await.to_owned()
    }

    async fn client(ctx: &Ctx<Order>, _: &String) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>("Is it right?").strict().await?.confirmed)
    }

    async fn after(&self, _: String, confirmed: bool) -> Text<bool> {
        Text(confirmed)
    }
}

/// Pays in a step of its own.
#[mcp_tool(read_only, replayable, timeout = "20ms")]
async fn pay_in_time(ctx: &Ctx, payment: &Payment) -> Result<&'static str> {
    let payment = payment.clone();
    Ok(if ctx.step("pay", async move { payment.make().await.len() }).await? > 0 { "paid" } else { "free" })
}

/// Stops waiting for a tool that pays.
#[mcp_tool(replayable)]
async fn give_up(ctx: &Ctx, payment: &Payment, tool: String) -> String {
    payment.give_up(ctx.call(tool, json!({})).into_future()).await
}

/// Calls the tool that stops waiting. It ends while the step of the tool that pays still runs.
#[mcp_tool(read_only)]
async fn give_up_within(ctx: &Ctx, tool: String) -> Result<CallToolResult> {
    ctx.call("give_up_at_once", json!({ "tool": tool })).await
}

/// Stops waiting for a tool that pays, and can be run again.
#[mcp_tool(read_only, replayable)]
async fn give_up_at_once(ctx: &Ctx, payment: &Payment, tool: String) -> String {
    payment.give_up(ctx.call(tool, json!({})).into_future()).await
}

/// Waits for the tool that has a time limit.
#[mcp_tool(replayable)]
async fn wait_in_time(ctx: &Ctx) -> Result<CallToolResult> {
    ctx.call("pay_in_time", json!({})).await
}

fn count_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PANICS.set(PANICS.get() + 1);
            before(info);
        }));
    });
}

/// Calls a tool while its payment does not go on. Returns the text of its result.
async fn call(service: &Service, tool: &str, arguments: &Value) -> String {
    let mut client = service.memory();
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": tool, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": Revision::LATEST.as_str(),
            "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        },
    }});
    client.send(&request.to_string()).await;
    let reply: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
}

#[tokio::test]
async fn a_task_that_outlives_a_nested_call_ends_without_a_panic() {
    count_panics();
    let with = |tool: &str| json!({ "tool": tool });
    for (caller, arguments, text) in [
        ("give_up", with("pay"), "gave up"),
        ("give_up", with("reserve"), "gave up"),
        ("give_up_within", with("pay"), "gave up"),
        ("give_up_within", with("reserve"), "gave up"),
        ("wait_in_time", json!({}), "the tool `pay_in_time` did not finish within 20ms"),
    ] {
        let payment = Payment::default();
        let tools = tools![pay, pay_in_time, give_up, give_up_within, give_up_at_once, wait_in_time];
        let service = Server::new("shop", "1").state(payment.clone()).tool(Reserve).tools(tools).build().unwrap();
        assert_eq!(call(&service, caller, &arguments).await, text, "{caller} {arguments}");
        let detached = &service.0.durable.detached;
        let is_idle = tokio::select! {
            biased;
            () = detached.wait() => true,
            () = ready(()) => false,
        };
        assert!(!is_idle, "{caller} {arguments}: the payment still runs");
        payment.goes_on.notify_one();
        let ended = timeout(Duration::from_secs(20), detached.wait()).await;
        assert!(ended.is_ok(), "{caller} {arguments}: a task is left");
        let is_made = timeout(Duration::from_secs(20), payment.is_made.notified()).await;
        assert!(is_made.is_ok(), "{caller} {arguments}: the payment has not ended");
    }
    assert_eq!(PANICS.get(), 0);
}
