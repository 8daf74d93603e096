//! How calls end before their tool has returned.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    Elicited, Result,
    plugin::{CallStatus, PluginHost, PluginOutcome},
    prelude::*,
    tool::DynamicTool,
};
use serde_json::{Value, json};

use crate::plugin::support::{Confirm, Kitchen, Pick, events, host, question, types};

#[tokio::test]
async fn a_call_that_waits_can_be_cancelled() {
    let kitchen = Kitchen::default();
    let host = host(&kitchen).await;
    let call = host.call("order", json!({ "dishes": 1 })).await.unwrap();
    question(&call, 1).await;
    call.cancel();
    assert_eq!(call.outcome().await, PluginOutcome::Cancelled);
    assert_eq!(call.status(), CallStatus::Cancelled);
    assert_eq!(types(&events(call).await).last().unwrap(), "cancelled");
    assert!(host.open_calls().is_empty());
    assert_eq!(kitchen.counts(), (1, 0));
}

/// What a tool owns is dropped with its call.
struct Dropped(Arc<AtomicBool>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_cancelled_tool_is_dropped() {
    #[elicits]
    enum Ask {
        Sure { yes: bool },
    }
    struct Flag(Arc<AtomicBool>);

    /// Waits for the user.
    #[mcp_tool]
    async fn asks(flag: &Flag, ctx: &Ctx<Ask>) -> Result<()> {
        let _dropped = Dropped(Arc::clone(&flag.0));
        ctx.elicit::<Sure>("Sure?").await?.accepted();
        Ok(())
    }
    let asked = Arc::new(AtomicBool::new(false));
    let runs = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&runs);
    let sleeps = DynamicTool::from_schema("sleeps", "Waits.", json!({ "type": "object" }), move |_: Ctx, _: Value| {
        let dropped = Dropped(Arc::clone(&flag));
        async move {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            drop(dropped);
        }
    });
    let server = Server::new("s", "1").state(Flag(Arc::clone(&asked))).tools(tools![asks]).tool(sleeps);
    let host = PluginHost::builder(server).start().await.unwrap();
    for (tool, flag) in [("asks", asked), ("sleeps", runs)] {
        let call = host.call(tool, json!({})).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
        call.cancel();
        assert_eq!(call.outcome().await, PluginOutcome::Cancelled, "{tool}");
        assert!(flag.load(Ordering::SeqCst), "{tool}");
    }
}

#[tokio::test]
async fn an_effect_that_has_begun_runs_to_its_end() {
    let kitchen = Kitchen::default();
    kitchen.0.holds_after.store(true, Ordering::SeqCst);
    let host = host(&kitchen).await;
    let call = host.call("order", json!({ "dishes": 1 })).await.unwrap();
    question(&call, 1).await;
    call.answer(1, Elicited::Accept(Pick { dish: "soup".into(), portions: 1 })).await.unwrap();
    question(&call, 2).await;
    call.answer(2, Elicited::Accept(Confirm { confirmed: true })).await.unwrap();
    kitchen.0.reached.notified().await;
    call.cancel();
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!((call.status(), call.question()), (CallStatus::Working, None));
    kitchen.0.released.notify_one();
    assert_eq!(call.outcome().await.text(), "ordered 1 × soup of 1");
    assert_eq!(kitchen.counts(), (1, 1));
}

#[tokio::test]
async fn a_panic_is_a_result_of_its_call_alone() {
    let panics =
        DynamicTool::from_schema("panics", "Panics.", json!({ "type": "object" }), async |_: Ctx, _: Value| {
            assert!(std::hint::black_box(false), "no");
        });
    let host = PluginHost::builder(Server::new("s", "1").tool(panics)).start().await.unwrap();
    for _ in 0..2 {
        let outcome = host.call("panics", json!({})).await.unwrap().outcome().await;
        assert!(outcome.is_error() && outcome.text().contains("panicked"), "{outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_ends_the_call() {
    #[elicits]
    enum Ask {
        Sure { yes: bool },
    }

    /// Asks the user.
    #[mcp_tool(answer_within = "10s")]
    async fn asks(ctx: &Ctx<Ask>) -> Result<()> {
        ctx.elicit::<Sure>("Sure?").await?.accepted();
        Ok(())
    }
    let host = PluginHost::builder(Server::new("s", "1").tools(tools![asks])).start().await.unwrap();
    let call = host.call("asks", json!({})).await.unwrap();
    let outcome = call.outcome().await;
    assert_eq!(outcome, PluginOutcome::Failed("no answer came within 10s".to_owned()));
}
