//! Events inside of calls, forwarded to the client of each.

use std::{sync::Arc, time::Duration};

use mcp_runtime::{MemoryClient, client_layer, prelude::*};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tracing::{Instrument, Level as Severity, debug, error, info, info_span, trace, warn};
use tracing_subscriber::{
    Layer,
    filter::{LevelFilter, filter_fn},
    prelude::*,
};

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

fn client(left: Arc<Notify>) -> MemoryClient {
    let tools = tools![speak, measure, wander, linger];
    Server::new("zoo", "1.0.0").state(left).tools(tools).build().unwrap().memory()
}

/// Calls a tool as a modern client; gives the log messages that came before its result.
async fn modern(client: &mut MemoryClient, tool: &str, level: Option<&str>) -> Vec<Value> {
    let mut request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    } } });
    if let Some(level) = level {
        request["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = level.into();
    }
    client.send(&request.to_string()).await;
    until_result(client).await
}

async fn legacy(client: &mut MemoryClient, tool: &str) -> Vec<Value> {
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } });
    client.send(&request.to_string()).await;
    until_result(client).await
}

async fn until_result(client: &mut MemoryClient) -> Vec<Value> {
    let mut logged = Vec::new();
    loop {
        let message: Value = serde_json::from_str(&client.receive().await.unwrap()).unwrap();
        if message["method"] != "notifications/message" {
            assert!(message["result"].is_object(), "{message}");
            return logged;
        }
        logged.push(message["params"].clone());
    }
}

fn data(logged: &[Value]) -> Vec<&Value> {
    logged.iter().map(|params| &params["data"]).collect()
}

#[tokio::test]
async fn a_modern_client_gets_the_levels_its_request_names() {
    let _guard = subscriber().set_default();
    let mut client = client(Arc::default());
    assert_eq!(modern(&mut client, "speak", None).await, [] as [Value; 0]);
    assert_eq!(data(&modern(&mut client, "speak", Some("warning")).await), ["a warning", "an error"]);
    let all = modern(&mut client, "speak", Some("debug")).await;
    assert_eq!(data(&all), ["a trace", "a detail", "news", "a warning", "an error"]);
    let levels: Vec<_> = all.iter().map(|params| &params["level"]).collect();
    assert_eq!(levels, ["debug", "debug", "info", "warning", "error"]);
}

#[tokio::test]
async fn a_session_gets_info_until_it_sets_a_level() {
    let _guard = subscriber().set_default();
    let mut client = client(Arc::default());
    let open = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    } });
    client.send(&open.to_string()).await;
    client.receive().await.unwrap();
    assert_eq!(data(&legacy(&mut client, "speak").await), ["news", "a warning", "an error"]);
    client.send(r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"error"}}"#).await;
    client.receive().await.unwrap();
    assert_eq!(data(&legacy(&mut client, "speak").await), ["an error"]);
}

#[tokio::test]
async fn fields_stand_beside_the_message_and_the_target_is_the_logger() {
    let _guard = subscriber().set_default();
    let logged = modern(&mut client(Arc::default()), "measure", Some("info")).await;
    assert_eq!(
        logged,
        [
            json!({ "level": "info", "logger": "client_layer", "data": {
                "message": "measured", "animal": "cat", "weight": 4.5, "legs": 4, "alive": true, "name": "Some(\"Mo\")",
            } }),
            json!({ "level": "info", "logger": "client_layer", "data": { "error": "no scales" } }),
            json!({ "level": "info", "logger": "scales", "data": "in 2 steps" }),
            json!({ "level": "info", "logger": "measure", "data": "from the context" }),
        ]
    );
}

#[tokio::test]
async fn a_call_is_found_from_nested_spans_and_instrumented_tasks_only() {
    let _guard = subscriber().set_default();
    info!("outside of any call");
    let logged = modern(&mut client(Arc::default()), "wander", Some("debug")).await;
    assert_eq!(data(&logged), ["in a nested span", "in a task"]);
}

#[tokio::test]
async fn nothing_is_forwarded_after_the_end_of_the_call() {
    let _guard = subscriber().set_default();
    let left = Arc::new(Notify::new());
    let mut client = client(Arc::clone(&left));
    assert_eq!(data(&modern(&mut client, "linger", Some("debug")).await), ["in time"]);
    left.notify_one();
    tokio::task::yield_now().await;
    tokio::time::timeout(Duration::from_secs(5), left.notified()).await.expect("the task has spoken");
    assert_eq!(client.close().await, [] as [&str; 0]);
}

#[tokio::test]
async fn calls_at_once_are_told_apart() {
    let _guard = subscriber().set_default();
    let (mut one, mut other) = (client(Arc::default()), client(Arc::default()));
    let (one, other) =
        tokio::join!(modern(&mut one, "speak", Some("error")), modern(&mut other, "wander", Some("info")));
    assert_eq!(data(&one), ["an error"]);
    assert_eq!(data(&other), ["in a nested span", "in a task"]);
}

#[tokio::test]
async fn filters_of_other_layers_do_not_matter() {
    let operator = tracing_subscriber::fmt::layer().with_writer(std::io::sink).with_filter(LevelFilter::OFF);
    let mine = client_layer().with_filter(filter_fn(|it| it.target() != "scales" && *it.level() <= Severity::DEBUG));
    let _guard = tracing_subscriber::registry().with(operator).with(mine).set_default();
    let mut client = client(Arc::default());
    assert_eq!(modern(&mut client, "measure", Some("info")).await.len(), 3);
    assert_eq!(modern(&mut client, "speak", Some("debug")).await.len(), 4);
}

#[tokio::test]
async fn spans_name_request_and_call_but_no_arguments() {
    let written = Written::default();
    let operator = tracing_subscriber::fmt::layer().with_writer(written.clone()).with_ansi(false).without_time();
    let _guard = tracing_subscriber::registry().with(operator).with(client_layer()).set_default();
    modern(&mut client(Arc::default()), "linger", None).await;
    let text = written.text();
    let spans = r#"mcp.request{id="1" method="tools/call" era="modern" revision="2026-07-28"}:mcp.call{tool="linger" revision="2026-07-28"}"#;
    assert!(text.contains(&format!("{spans}: client_layer: in time")), "{text}");
    assert!(text.contains(&format!("{spans}: mcp_runtime::trace::on: call done")), "{text}");
}

/// What a layer wrote.
#[derive(Clone, Default)]
struct Written(Arc<std::sync::Mutex<Vec<u8>>>);

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl tracing_subscriber::fmt::MakeWriter<'_> for Written {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
