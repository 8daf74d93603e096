//! The tools of the tests, and what the tests share.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    Result,
    plugin::{CallStatus, PluginCall, PluginHost, PluginQuestion, TimelineEvent},
    prelude::*,
};
use serde_json::{Map, Value, json};
use tokio::{runtime::Runtime, sync::Notify};

/// The forms of [`Order`].
#[elicits]
#[derive(Debug)]
pub(crate) enum Menu {
    /// What to order.
    Pick {
        /// The dish.
        dish: String,
        /// How many.
        #[elicit(min = 1, max = 9, default = 1)]
        portions: i64,
    },
    /// Order it?
    Confirm {
        /// Whether to order.
        confirmed: bool,
    },
}

/// Counts the phases, and can hold them.
#[derive(Clone, Default)]
pub(crate) struct Kitchen(pub(crate) Arc<KitchenState>);

#[derive(Default)]
pub(crate) struct KitchenState {
    pub(crate) before: AtomicU32,
    pub(crate) after: AtomicU32,
    /// Whether `after` waits until it is released.
    pub(crate) holds_after: std::sync::atomic::AtomicBool,
    pub(crate) released: Notify,
    pub(crate) reached: Notify,
}

impl Kitchen {
    pub(crate) fn counts(&self) -> (u32, u32) {
        (self.0.before.load(Ordering::SeqCst), self.0.after.load(Ordering::SeqCst))
    }
}

/// Orders food.
pub(crate) struct Order;

/// Orders a dish of the menu.
#[handoff(title = "Order food")]
impl Order {
    async fn before(
        &self,
        kitchen: &Kitchen,
        ctx: &PhaseCtx,
        /// The number of dishes on the menu.
        #[schemars(range(min = 1, max = 3))]
        dishes: usize,
    ) -> Vec<String> {
        kitchen.0.before.fetch_add(1, Ordering::SeqCst);
        ctx.log(Level::Info, "reading the menu");
        ctx.progress(1.0).message("read");
        ["soup", "pasta", "cake"][..dishes].iter().map(ToString::to_string).collect()
    }

    async fn client(ctx: &Ctx<Menu>, menu: &Vec<String>) -> Result<Option<Pick>> {
        let pick = ctx.elicit::<Pick>("What would you like?").choices(Pick::DISH, menu.iter().map(String::as_str));
        let Elicited::Accept(pick) = pick.await? else { return Ok(None) };
        let sure = ctx.elicit::<Confirm>(format!("Order {} × {}?", pick.portions, pick.dish)).await?;
        Ok(matches!(sure, Elicited::Accept(Confirm { confirmed: true })).then_some(pick))
    }

    async fn after(&self, kitchen: &Kitchen, menu: Vec<String>, pick: Option<Pick>) -> String {
        let Some(pick) = pick else { return "nothing ordered".to_owned() };
        kitchen.0.after.fetch_add(1, Ordering::SeqCst);
        kitchen.0.reached.notify_one();
        if kitchen.0.holds_after.load(Ordering::SeqCst) {
            kitchen.0.released.notified().await;
        }
        format!("ordered {} × {} of {}", pick.portions, pick.dish, menu.len())
    }
}

/// Asks whether to keep a note.
#[mcp_tool]
pub(crate) async fn keep(ctx: &Ctx<Menu>, note: String) -> Result<String> {
    let sure = ctx.elicit::<Confirm>("Keep it?").await?;
    Ok(format!("{sure:?}: {} bytes", note.len()))
}

/// Runs a part of the application's life. Its end drops everything, as the end of the process would.
pub(crate) fn life<T>(work: impl Future<Output = T>) -> T {
    let runtime = Runtime::new().unwrap();
    let out = runtime.block_on(work);
    runtime.shutdown_background();
    out
}

pub(crate) fn server(kitchen: &Kitchen) -> Server {
    Server::new("kitchen", "1.0.0").state(kitchen.clone())
}

/// Starts a host whose questions are answered on the timeline.
pub(crate) async fn host(kitchen: &Kitchen) -> PluginHost {
    PluginHost::builder(server(kitchen).tool(Order)).start().await.unwrap()
}

/// Waits for the next question of a call.
pub(crate) async fn question(call: &PluginCall, seq: u32) -> PluginQuestion {
    let waiting = async {
        loop {
            if let Some(question) = call.question().filter(|question| question.seq == seq) {
                return question;
            }
            assert!(call.status().is_open(), "the call has ended: {:?}", call.outcome().await);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("the question is asked")
}

pub(crate) async fn events(call: PluginCall) -> Vec<TimelineEvent> {
    let mut call = call;
    let mut events = Vec::new();
    while let Some(event) = call.next_event().await {
        events.push(event);
    }
    events
}

/// The type of each event.
pub(crate) fn types(events: &[TimelineEvent]) -> Vec<String> {
    events.iter().map(|event| json!(event)["type"].as_str().unwrap().to_owned()).collect()
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("not an object") };
    object
}

pub(crate) fn accept(value: Value) -> Elicited<Map<String, Value>> {
    Elicited::Accept(object(value))
}

/// Answers both questions of [`Order`], and returns the text of the result.
pub(crate) async fn order(call: &PluginCall) -> String {
    question(call, 1).await;
    call.answer(1, Elicited::Accept(Pick { dish: "soup".into(), portions: 2 })).await.unwrap();
    question(call, 2).await;
    call.answer(2, Elicited::Accept(Confirm { confirmed: true })).await.unwrap();
    let outcome = call.outcome().await;
    assert_eq!(call.status(), CallStatus::Finished);
    outcome.text()
}
