//! A call in a session that waits for its client has no task. The thread that receives the answer polls the call.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread::{self, ThreadId},
    time::Duration,
};

use mcp_runtime::{MemoryClient, Result, Server, prelude::*};
use serde_json::{Value, json};

use crate::asking::{Dinner, Pick};

/// What the tools tell the test.
struct Told {
    threads: mpsc::SyncSender<ThreadId>,
    dropped: Arc<AtomicBool>,
}

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

async fn dish(ctx: &Ctx<Dinner>, message: &str) -> Result<String> {
    Ok(ctx.elicit::<Pick>(message).strict().await?.dish)
}

/// Orders a main dish and a dessert.
#[mcp_tool]
async fn order(ctx: &Ctx<Dinner>, told: &Told) -> Result<String> {
    let _guard = SetOnDrop(Arc::clone(&told.dropped));
    let thread = || told.threads.send(thread::current().id());
    thread()?;
    let main = dish(ctx, "Which dish?").await?;
    thread()?;
    let dessert = dish(ctx, "Which dessert?").await?;
    thread()?;
    Ok(format!("{main}, {dessert}"))
}

/// Blocks its thread after the answer.
#[mcp_tool]
async fn block(ctx: &Ctx<Dinner>, told: &Told) -> Result<String> {
    let dish = dish(ctx, "Which dish?").await?;
    thread::sleep(Duration::from_millis(30));
    told.threads.send(thread::current().id())?;
    Ok(dish)
}

/// Waits for something else after the answer.
#[mcp_tool]
async fn wait(ctx: &Ctx<Dinner>, told: &Told) -> Result<String> {
    let dish = dish(ctx, "Which dish?").await?;
    tokio::time::sleep(Duration::from_millis(1)).await;
    told.threads.send(thread::current().id())?;
    Ok(dish)
}

/// Takes the dish of the user, or decides after a while.
#[mcp_tool]
async fn hurry(ctx: &Ctx<Dinner>) -> Result<String> {
    tokio::select! {
        dish = dish(ctx, "Which dish?") => dish,
        () = tokio::time::sleep(Duration::from_millis(5)) => Ok("soup".to_owned()),
    }
}

struct Session {
    client: MemoryClient,
    threads: mpsc::Receiver<ThreadId>,
    dropped: Arc<AtomicBool>,
}

impl Session {
    async fn open() -> Self {
        let (send, threads) = mpsc::sync_channel(10);
        let dropped = Arc::new(AtomicBool::new(false));
        let told = Told { threads: send, dropped: Arc::clone(&dropped) };
        let tools = tools![order, block, wait, hurry];
        let client = Server::new("test", "1").state(told).tools(tools).build().unwrap().memory();
        let mut session = Self { client, threads, dropped };
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": {} });
        session.send(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
        session.receive().await;
        session
    }

    async fn send(&self, message: Value) {
        self.client.send(&message.to_string()).await;
    }

    async fn receive(&mut self) -> Value {
        serde_json::from_str(&self.client.receive().await.unwrap()).unwrap()
    }

    /// Calls the tool and returns the id of its question.
    async fn call(&mut self, tool: &str) -> Value {
        self.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } })).await;
        let question = self.receive().await;
        assert_eq!(question["method"], "elicitation/create");
        question["id"].clone()
    }

    /// Answers the question, and returns the next message of the server.
    async fn answer(&mut self, id: Value, dish: &str) -> Value {
        let result = json!({ "action": "accept", "content": { "dish": dish } });
        self.send(json!({ "jsonrpc": "2.0", "id": id, "result": result })).await;
        self.receive().await
    }
}

fn text(response: &Value) -> &str {
    response["result"]["content"][0]["text"].as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_thread_that_receives_an_answer_polls_the_call() {
    let mut session = Session::open().await;
    let question = session.call("order").await;
    let question = session.answer(question, "pasta").await["id"].clone();
    assert_eq!(text(&session.answer(question, "cake").await), "pasta, cake");
    let here = thread::current().id();
    assert_eq!(session.threads.try_iter().collect::<Vec<_>>(), [here; 3]);
    assert!(session.dropped.load(Ordering::Acquire));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_call_that_waits_for_something_else_becomes_a_task() {
    let mut session = Session::open().await;
    let question = session.call("wait").await;
    assert_eq!(text(&session.answer(question, "pasta").await), "pasta");
    assert_ne!(session.threads.recv().unwrap(), thread::current().id());
}

#[tokio::test]
async fn a_call_continues_if_it_is_woken_without_an_answer() {
    let mut session = Session::open().await;
    session.call("hurry").await;
    // The question is withdrawn.
    assert_eq!(session.receive().await["method"], "notifications/cancelled");
    assert_eq!(text(&session.receive().await), "soup");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_tool_that_blocks_after_its_answers_moves_to_other_threads() {
    let mut session = Session::open().await;
    let mut elsewhere = Vec::new();
    for _ in 0..4 {
        let question = session.call("block").await;
        assert_eq!(text(&session.answer(question, "pasta").await), "pasta");
        elsewhere.push(session.threads.recv().unwrap() != thread::current().id());
    }
    assert_eq!(elsewhere, [false, false, false, true]);
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_at_once() {
    let mut session = Session::open().await;
    let question = session.call("order").await;
    let params = json!({ "requestId": 1 });
    session.send(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    assert!(session.dropped.load(Ordering::Acquire));
    assert_eq!(session.receive().await["params"]["requestId"], question);
    // A late answer changes nothing.
    session.send(json!({ "jsonrpc": "2.0", "id": question, "result": { "action": "decline" } })).await;
    assert!(session.client.close().await.is_empty());
}

#[tokio::test]
async fn a_disconnected_client_ends_its_call() {
    let mut session = Session::open().await;
    session.call("order").await;
    drop(session.client);
    assert!(session.dropped.load(Ordering::Acquire));
}
