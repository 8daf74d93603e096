//! `tracing` events inside of calls are forwarded to the client of the call.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{
    Revision, Service,
    prelude::*,
    telemetry::client_layer,
    testing::{Client, Outcome},
};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tracing::{Instrument, Level as Severity, debug, error, info, info_span, trace, warn};
use tracing_subscriber::{
    Layer,
    filter::{LevelFilter, filter_fn},
    prelude::*,
};

use crate::support::log::set_default;

/// Speak at every level.
#[mcp_tool]
async fn speak() {
    trace!("a trace");
    debug!("a detail");
    tokio::task::yield_now().await;
    info!("news");
    warn!("a warning");
    error!("an error");
}

/// Speak with fields.
#[mcp_tool]
async fn measure(ctx: &Ctx) {
    let error = std::io::Error::new(std::io::ErrorKind::NotFound, "no scales");
    info!(animal = "cat", weight = 4.5, legs = 4, alive = true, name = ?Some("Mo"), "measured");
    info!(error = &error as &dyn std::error::Error);
    info!(target: "scales", "in {} steps", 2);
    ctx.log(Level::Info, "from the context");
}

/// Speak from everywhere a call can reach.
#[mcp_tool]
async fn wander() {
    let deeper = async {
        tokio::task::yield_now().await;
        info!("in a nested span");
    };
    deeper.instrument(info_span!("nested", depth = 1)).await;
    tokio::spawn(async { info!("in a task") }.in_current_span()).await.unwrap();
    tokio::spawn(async { info!("in a lost task") }).await.unwrap();
}

/// Leave a task behind that speaks when the call is over.
#[mcp_tool]
async fn linger(left: &Arc<Notify>) {
    let left = Arc::clone(left);
    let task = async move {
        left.notified().await;
        info!("too late");
        left.notify_one();
    };
    tokio::spawn(task.in_current_span());
    info!("in time");
}

fn subscriber() -> impl tracing::Subscriber + Send + Sync {
    tracing_subscriber::registry().with(client_layer())
}

fn service(left: Arc<Notify>) -> Service {
    Server::new("zoo", "1.0.0").state(left).tools(tools![speak, measure, wander, linger]).build().unwrap()
}

/// Creates a modern client that requests messages of this level and above.
fn client(level: impl Into<Option<Level>>) -> Client {
    Client::modern(&service(Arc::default())).log_level(level)
}

fn data(outcome: &Outcome) -> Vec<&Value> {
    outcome.logs().iter().map(|log| &log.data).collect()
}

#[tokio::test]
async fn a_modern_client_gets_the_levels_its_request_names() {
    let _guard = set_default(subscriber());
    assert_eq!(data(&client(None).call("speak", ()).await), [] as [&str; 0]);
    assert_eq!(data(&client(Level::Warning).call("speak", ()).await), ["a warning", "an error"]);
    let all = client(Level::Debug).call("speak", ()).await;
    assert_eq!(data(&all), ["a trace", "a detail", "news", "a warning", "an error"]);
    let levels: Vec<_> = all.logs().iter().map(|log| log.level).collect();
    assert_eq!(levels, [Level::Debug, Level::Debug, Level::Info, Level::Warning, Level::Error]);
}

#[tokio::test]
async fn a_session_gets_info_until_it_sets_a_level() {
    let _guard = set_default(subscriber());
    let session = || Client::legacy(&service(Arc::default()), Revision::V2025_06_18);
    let unset = session().log_level(None).call("speak", ()).await;
    assert_eq!(data(&unset), ["news", "a warning", "an error"]);
    let set = session().log_level(Level::Error).call("speak", ()).await;
    assert_eq!(data(&set), ["an error"]);
}

#[tokio::test]
async fn sends_fields_with_the_message_and_the_target_as_logger() {
    let _guard = set_default(subscriber());
    let outcome = client(Level::Info).call("measure", ()).await;
    let messages = outcome.transcript().received().into_iter();
    let logged: Vec<_> =
        messages.filter(|message| message.get("method").is_some()).map(|it| it["params"].clone()).collect();
    assert_eq!(
        logged,
        [
            json!({ "level": "info", "logger": module_path!(), "data": {
                "message": "measured", "animal": "cat", "weight": 4.5, "legs": 4, "alive": true, "name": "Some(\"Mo\")",
            } }),
            json!({ "level": "info", "logger": module_path!(), "data": { "error": "no scales" } }),
            json!({ "level": "info", "logger": "scales", "data": "in 2 steps" }),
            json!({ "level": "info", "logger": "measure", "data": "from the context" }),
        ]
    );
}

#[tokio::test]
async fn a_call_is_found_from_nested_spans_and_instrumented_tasks_only() {
    let _guard = set_default(subscriber());
    info!("outside of any call");
    let outcome = client(Level::Debug).call("wander", ()).await;
    assert_eq!(data(&outcome), ["in a nested span", "in a task"]);
}

#[tokio::test]
async fn nothing_is_forwarded_after_the_end_of_the_call() {
    let _guard = set_default(subscriber());
    let left = Arc::new(Notify::new());
    let mut client = Client::modern(&service(Arc::clone(&left)));
    assert_eq!(data(&client.call("linger", ()).await), ["in time"]);
    left.notify_one();
    tokio::task::yield_now().await;
    tokio::time::timeout(Duration::from_secs(5), left.notified()).await.expect("the task has spoken");
    assert_eq!(data(&client.call("wander", ()).await), ["in a nested span", "in a task"]);
}

#[tokio::test]
async fn distinguishes_concurrent_calls() {
    let _guard = set_default(subscriber());
    let (mut one, mut other) = (client(Level::Error), client(Level::Info));
    let (one, other) = tokio::join!(one.call("speak", ()).into_future(), other.call("wander", ()).into_future());
    assert_eq!(data(&one), ["an error"]);
    assert_eq!(data(&other), ["in a nested span", "in a task"]);
}

#[tokio::test]
async fn filters_of_other_layers_do_not_matter() {
    let operator = tracing_subscriber::fmt::layer().with_writer(std::io::sink).with_filter(LevelFilter::OFF);
    let mine = client_layer().with_filter(filter_fn(|it| it.target() != "scales" && *it.level() <= Severity::DEBUG));
    let _guard = set_default(tracing_subscriber::registry().with(operator).with(mine));
    assert_eq!(client(Level::Info).call("measure", ()).await.logs().len(), 3);
    assert_eq!(client(Level::Debug).call("speak", ()).await.logs().len(), 4);
}
