//! What a called tool shares with its caller: the client, the principal, the layers of the server, its messages.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    CallToolResult, Principal, Result, Revision, in_every_mode, layer,
    prelude::*,
    testing::{Client, Reply},
};
use serde_json::json;
use tokio::{sync::Notify, time::timeout};

use super::{Confirm, Done, Trip, YES, server};

/// Asks, and cannot be run again.
#[mcp_tool]
async fn ask_once(ctx: &Ctx<Trip>) -> Result<Text<bool>> {
    Ok(Text(ctx.elicit::<Confirm>("Sure?").strict().await?.confirmed))
}

/// Calls a tool by its name.
#[mcp_tool]
async fn call(ctx: &Ctx, tool: String, arguments: serde_json::Value) -> Result<CallToolResult> {
    ctx.call(tool, arguments).await
}

/// Calls a tool by its name, and can be run again.
#[mcp_tool(replayable)]
async fn call_again(ctx: &Ctx, tool: String) -> Result<CallToolResult> {
    ctx.call(tool, ()).await
}

/// Calls itself, as often as it can.
#[mcp_tool(replayable)]
async fn dig(ctx: &Ctx, depth: u32) -> Result<Text<u32>> {
    Ok(Text(ctx.call_tool(dig::with(depth + 1)).await?))
}

/// Needs a scope.
#[mcp_tool(scopes("pay"))]
async fn pay() -> &'static str {
    "paid"
}

/// Takes longer than it may.
#[mcp_tool(timeout = "20ms", read_only)]
async fn slow() {
    std::future::pending::<()>().await;
}

fn callers() -> Server {
    Server::new("callers", "1").tools(tools![ask_once, call, call_again, dig, pay, slow])
}

#[tokio::test]
async fn what_cannot_be_called_says_why() {
    let service = callers().build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let mut client = Client::new(&service, revision).capabilities(json!({ "elicitation": {} }));
        let unknown = client.call("call", json!({ "tool": "fly", "arguments": {} })).await;
        assert_eq!(unknown.text(), "this server has no tool `fly`");
        let deep = client.call("dig", json!({ "depth": 1 })).await;
        let expected = "the tool `dig` is called within more than 8 other calls; do the tools call each other?";
        assert_eq!(deep.text(), expected);
        let slow = client.call("call", json!({ "tool": "slow", "arguments": {} })).await;
        assert_eq!(slow.text(), "the tool `slow` did not finish within 20ms");
    }
    let mut client = Client::new(&service, Revision::LATEST).capabilities(json!({ "elicitation": {} }));
    let again = client.call("call_again", json!({ "tool": "ask_once" })).await;
    let expected = "the tool `ask_once` can ask and is not `replayable`, so the tool `call_again`, which is, cannot \
                    call it; make it `replayable` or a handoff";
    assert_eq!(again.text(), expected);
}

#[tokio::test]
async fn the_guard_checks_who_calls_and_with_which_client() {
    let service = callers().build().unwrap();
    let anyone = Principal::new("ada").scopes(["read"]);
    let mut client = Client::new(&service, Revision::LATEST).principal(anyone);
    let refused = client.call("call", json!({ "tool": "pay", "arguments": {} })).await;
    assert!(refused.error().unwrap().message.contains("pay"), "{refused:?}");
    let mut client = Client::new(&service, Revision::LATEST).principal(Principal::new("ada").scopes(["pay"]));
    assert_eq!(client.call("call", json!({ "tool": "pay", "arguments": {} })).await.text(), "paid");
    let mut client = Client::new(&service, Revision::LATEST).capabilities(json!({}));
    let refused = client.call("call", json!({ "tool": "ask_once", "arguments": {} })).await;
    assert_eq!(refused.error().unwrap().code, -32021, "{refused:?}");
}

#[tokio::test]
async fn layers_run_around_each_call() {
    let done = Done::default();
    let seen = done.clone();
    let log = layer::from_fn(move |call: layer::CallInfo, next: layer::Next| {
        seen.add(format!("{}: {}", call.tool(), call.is_resumed()));
        next.run()
    });
    let other = Done::default();
    let service = server(&other).layer(log).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST).capabilities(json!({ "elicitation": {} })).rebuilding();
    let planned = client.call("plan", json!({ "things": ["seat"] })).accept(YES).await;
    assert_eq!(planned.text(), "seat booked (11)");
    assert_eq!(done.take(), ["plan: false", "book: false", "plan: true", "book: true", "note: false"]);
}

#[tokio::test]
async fn a_layer_sees_that_a_called_tool_has_run_out_of_time() {
    let done = Done::default();
    let seen = done.clone();
    let log = layer::from_fn(move |call: layer::CallInfo, next: layer::Next| {
        let (seen, tool) = (seen.clone(), call.tool().to_owned());
        async move {
            let result = next.run().await?;
            seen.add(format!("{tool}: {}", result.content()[0].as_text().unwrap_or_default()));
            Ok(result)
        }
    });
    let service = callers().layer(log).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST);
    client.call("call", json!({ "tool": "slow", "arguments": {} })).await;
    let late = "the tool `slow` did not finish within 20ms";
    assert_eq!(done.take(), [format!("slow: {late}"), format!("call: {late}")]);
}

/// Pays, and takes its time.
#[mcp_tool]
async fn pay_slowly(done: &Done, go: &Go) -> &'static str {
    done.add("begin");
    go.0.notified().await;
    done.add("end");
    "paid"
}

/// Stops waiting for the payment at once.
#[mcp_tool(replayable)]
async fn give_up(ctx: &Ctx, go: &Go) -> Result<&'static str> {
    let paying = ctx.call_tool(pay_slowly::with()).into_future();
    let given_up = timeout(Duration::from_millis(20), paying).await.is_err();
    go.0.notify_one();
    Ok(if given_up { "gave up" } else { "waited" })
}

#[derive(Clone, Default)]
struct Go(Arc<Notify>);

#[tokio::test]
async fn a_step_that_has_begun_runs_to_its_end_without_its_caller() {
    let done = Done::default();
    let server = Server::new("s", "1").state(done.clone()).state(Go::default()).tools(tools![give_up, pay_slowly]);
    let service = server.build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST);
    assert_eq!(client.call("give_up", ()).await.text(), "gave up");
    let ended = async {
        while done.0.lock().unwrap().len() < 2 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(10), ended).await.unwrap();
    assert_eq!(done.take(), ["begin", "end"]);
}

/// Sums up a text with a model, and says what it does.
#[mcp_tool(read_only, replayable, requires(sampling))]
async fn sum_up(ctx: &Ctx, text: String) -> Result<String> {
    ctx.log(Level::Info, "summing up");
    ctx.progress(0.5).message("half");
    Ok(ctx.sample(format!("Sum up: {text}")).await?.text)
}

/// Sums up two texts.
#[mcp_tool(replayable)]
async fn sum_up_both(ctx: &Ctx, one: String, other: String) -> Result<String> {
    let (one, other) = (ctx.call_tool(sum_up::with(one)), ctx.call_tool(sum_up::with(other)));
    let (one, other) = tokio::try_join!(one.into_future(), other.into_future())?;
    Ok(format!("{one} {other}"))
}

#[tokio::test]
async fn a_called_tool_samples_logs_and_reports_through_its_caller() {
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("s", "1").tools(tools![sum_up, sum_up_both]));
        let both = client.call("sum_up_both", json!({ "one": "a", "other": "b" }));
        let both =
            both.reply_to("sum_up/sample", Reply::sampled("A")).reply_to("sum_up#2/sample", Reply::sampled("B")).await;
        assert_eq!(both.text(), "A B");
    });
    let service = Server::new("s", "1").tools(tools![sum_up, sum_up_both]).build().unwrap();
    let mut client =
        Client::new(&service, Revision::LATEST).capabilities(json!({ "sampling": {} })).log_level(Level::Info);
    let both = client.call("sum_up_both", json!({ "one": "a", "other": "b" }));
    let both =
        both.reply_to("sum_up/sample", Reply::sampled("A")).reply_to("sum_up#2/sample", Reply::sampled("B")).await;
    // Questions without a step between them leave together.
    assert_eq!(both.rounds(), 2);
    let loggers: Vec<_> = both.logs().iter().map(|log| log.logger.as_deref().unwrap_or_default()).collect();
    assert_eq!(loggers, ["sum_up", "sum_up"]);
    assert_eq!(both.progress().len(), 1, "{:?}", both.progress());
}

/// The weather service.
struct Weather;

/// Knows the weather.
#[mcp_actions(read_only)]
impl Weather {
    /// Tells the temperature of a city.
    #[action]
    async fn temperature(&self, city: String) -> Json<Degrees> {
        Json(Degrees { city, degrees: 21 })
    }
}

#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Degrees {
    city: String,
    degrees: i32,
}

#[tokio::test]
async fn an_action_is_called_by_the_name_of_its_tool() {
    let service = Server::new("s", "1").tool(Weather).tools(tools![call]).build().unwrap();
    let mut client = Client::new(&service, Revision::LATEST);
    let action = json!({ "action": "temperature", "params": { "city": "Oslo" } });
    let told = client.call("call", json!({ "tool": "weather", "arguments": action })).await;
    assert!(told.text().contains("21"), "{}", told.text());
}
