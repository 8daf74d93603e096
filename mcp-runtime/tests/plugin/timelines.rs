//! The events of a call, and those who follow it.

use mcp_runtime::{
    Result,
    plugin::{PluginHost, TimelineEventKind},
    prelude::*,
    sample::{Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest},
    testing::Client,
    tool::DynamicTool,
};
use serde_json::{Value, json};

use crate::plugin::support::{Confirm, Kitchen, Pick, events, host, order, types};

#[tokio::test]
async fn every_follower_gets_all_events_in_order() {
    let kitchen = Kitchen::default();
    let host = host(&kitchen).await;
    let call = host.call("order", json!({ "dishes": 2 })).await.unwrap();
    let early = tokio::spawn(events(call.clone()));
    assert_eq!(order(&call).await, "ordered 2 × soup of 2");
    let late = events(host.find(call.id()).await.unwrap()).await;
    let early = early.await.unwrap();
    assert_eq!(types(&late), ["started", "log", "progress", "elicit", "answered", "elicit", "answered", "finished"]);
    assert_eq!(json!(early), json!(late));
    assert!(late.windows(2).all(|pair| pair[0].id < pair[1].id && pair[0].at <= pair[1].at));

    let wire = json!(late);
    assert_eq!(wire[0]["tool"], "order");
    assert_eq!(wire[0]["title"], "Order food");
    assert_eq!(wire[0]["arguments"], json!({ "dishes": 2 }));
    assert_eq!(wire[1]["data"], "reading the menu");
    let asked = &wire[3]["question"];
    assert_eq!(
        (&asked["seq"], &asked["key"], &asked["form"], &asked["mode"]),
        (&json!(1), &json!("pick"), &json!("pick"), &json!("form"))
    );
    assert_eq!(asked["handoff"], json!(["soup", "pasta"]));
    assert_eq!(asked["schema"]["properties"]["dish"]["enum"], json!(["soup", "pasta"]));
    assert_eq!(
        wire[4],
        json!({
            "id": wire[4]["id"], "at": wire[4]["at"], "type": "answered", "seq": 1, "key": "pick", "action": "accept",
            "content": { "dish": "soup", "portions": 2 },
        })
    );
    assert_eq!(wire[7]["result"], json!({ "content": [{ "type": "text", "text": "ordered 2 × soup of 2" }] }));
    assert_eq!(kitchen.counts(), (1, 1));
}

#[tokio::test]
async fn a_follower_can_begin_behind_an_event() {
    let host = host(&Kitchen::default()).await;
    let call = host.call("order", json!({ "dishes": 1 })).await.unwrap();
    order(&call).await;
    let all = events(call.clone()).await;
    let rest = events(call.clone().after(all[4].id)).await;
    assert_eq!(json!(rest), json!(all[5..]));
    assert!(events(call.after(u64::MAX)).await.is_empty());
}

#[tokio::test]
async fn wrong_arguments_are_a_result_that_the_model_can_read() {
    let kitchen = Kitchen::default();
    let host = host(&kitchen).await;
    let outcome = host.call("order", json!({ "dishes": 7 })).await.unwrap().outcome().await;
    assert!(outcome.is_error() && outcome.text().contains("`dishes`"), "{outcome:?}");
    assert_eq!(kitchen.counts(), (0, 0));
}

#[tokio::test]
async fn ten_thousand_messages_leave_the_last_ones() {
    let noisy = DynamicTool::from_schema("noisy", "Logs.", json!({ "type": "object" }), async |ctx: Ctx, _: Value| {
        for number in 0..10_000 {
            ctx.log(Level::Debug, format!("message {number}"));
            ctx.progress(f64::from(number)).total(10_000.0);
        }
        "done"
    });
    let host = PluginHost::builder(Server::new("s", "1").tool(noisy)).start().await.unwrap();
    let call = host.call("noisy", json!({})).await.unwrap();
    assert_eq!(call.outcome().await.text(), "done");
    let events = events(call).await;
    let logs = events.iter().filter(|event| matches!(event.kind, TimelineEventKind::Log { .. })).count();
    let progress = events.iter().filter(|event| matches!(event.kind, TimelineEventKind::Progress { .. })).count();
    assert_eq!((logs, progress), (500, 1));
    assert_eq!(types(&events).first().unwrap(), "started");
    assert_eq!(types(&events).last().unwrap(), "finished");
    assert!(json!(events).to_string().contains("message 9999"));
}

#[tokio::test]
async fn a_model_of_the_server_is_an_event() {
    /// Asks a model.
    #[mcp_tool]
    async fn summarize(ctx: &Ctx) -> Result<String> {
        Ok(ctx.sample("Summarize.").max_tokens(10).await?.text)
    }
    struct Model;
    impl SamplingProvider for Model {
        fn sample<'a>(&'a self, _: &'a SamplingRequest) -> SamplingFuture<'a> {
            Box::pin(async { Ok(Sampled::new(vec![SamplingContent::Text("A summary.".into())], "tiny")) })
        }
    }
    let server = Server::new("s", "1").tools(tools![summarize]).sampling_provider(Model);
    let host = PluginHost::builder(server).start().await.unwrap();
    let call = host.call("summarize", json!({})).await.unwrap();
    assert_eq!(call.outcome().await.text(), "A summary.");
    let events = json!(events(call).await);
    assert_eq!(events[1]["type"], "sample");
    assert_eq!((&events[1]["model"], &events[1]["text"]), (&json!("tiny"), &json!("A summary.")));
}

/// The same tool is an MCP server beside the application.
#[tokio::test]
async fn the_host_is_an_mcp_server_too() {
    let kitchen = Kitchen::default();
    let host = host(&kitchen).await;
    let mut client = Client::modern(host.server());
    let call = client.call("order", json!({ "dishes": 1 })).accept(Pick { dish: "soup".into(), portions: 1 });
    let ordered = call.accept(Confirm { confirmed: true }).await;
    assert_eq!(ordered.text(), "ordered 1 × soup of 1");
}
