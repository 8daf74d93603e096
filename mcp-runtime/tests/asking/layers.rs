//! Layers around calls: their order, what they see, what they can change.

mod rounds;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use mcp_runtime::{
    CallToolResult, MemoryClient, Result, Revision, Server,
    layer::{self, CallInfo, Layer, Next, Rejection},
    prelude::*,
    testing::Client,
};
use serde_json::{Value, json};

/// The recorded events, in order.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Seen {
    fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// Records the events under its name.
struct Watcher(&'static str, Seen);

impl Layer for Watcher {
    async fn admit(&self, call: &CallInfo) -> Result<()> {
        self.1.note(format!("{}: admits {}", self.0, call.tool()));
        Ok(())
    }

    async fn around(&self, call: &CallInfo, next: Next) -> Result<CallToolResult> {
        self.1.note(format!("{}: {}", self.0, if call.is_resumed() { "resumes" } else { "begins" }));
        let _dropped = Dropped(self.0, self.1.clone());
        let outcome = next.run().await;
        self.1.note(format!("{}: {}", self.0, text(&outcome)));
        outcome
    }
}

struct Dropped(&'static str, Seen);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.1.note(format!("{}: dropped", self.0));
    }
}

fn text(outcome: &Result<CallToolResult>) -> String {
    match outcome {
        Ok(result) => {
            let text = result.content().iter().map(|block| serde_json::to_value(block).unwrap()["text"].clone());
            let text = text.map(|text| text.as_str().unwrap().to_owned()).collect::<String>();
            format!("{} {text:?}", if result.is_error() { "error" } else { "result" })
        }
        Err(error) => format!("err {error}"),
    }
}

/// Says a word after it was noted.
#[mcp_tool]
async fn say(seen: &Seen, #[schemars(length(max = 9))] word: String) -> Result<String> {
    seen.note("tool");
    match word.as_str() {
        "error" => Err("the tool fails".into()),
        "panic" => panic!("the tool panics"),
        word => Ok(word.to_owned()),
    }
}

/// Takes longer than it may.
#[mcp_tool(timeout = "5ms")]
async fn linger() {
    std::future::pending::<()>().await;
}

fn server(seen: &Seen) -> Server {
    Server::new("test", "1").state(seen.clone()).tools(tools![say, linger])
}

#[tokio::test]
async fn the_layer_that_was_added_first_is_the_outermost() {
    for revision in Revision::ALL {
        let seen = Seen::default();
        let server = server(&seen).layer(Watcher("outer", seen.clone())).layer(Watcher("inner", seen.clone()));
        let mut client = Client::new(&server.build().unwrap(), revision);
        assert_eq!(client.call("say", json!({ "word": "hi" })).await.text(), "hi");
        let expected = [
            "outer: admits say",
            "outer: begins",
            "inner: admits say",
            "inner: begins",
            "tool",
            "inner: result \"hi\"",
            "inner: dropped",
            "outer: result \"hi\"",
            "outer: dropped",
        ];
        assert_eq!(seen.take(), expected, "{revision}");
    }
}

#[tokio::test]
async fn a_layer_sees_every_outcome_of_a_tool() {
    for (tool, word, expected) in [
        ("say", "error", "err the tool fails"),
        ("say", "panic", "error \"internal error: the tool `say` panicked\""),
        ("say", "1234567890", "error \"invalid arguments for `say`:"),
        ("linger", "", "error \"the tool `linger` did not finish within 5ms\""),
    ] {
        let seen = Seen::default();
        let service = server(&seen).layer(Watcher("layer", seen.clone())).build().unwrap();
        let arguments = if word.is_empty() { json!({}) } else { json!({ "word": word }) };
        let outcome = Client::modern(&service).call(tool, arguments).await;
        assert!(outcome.is_error());
        let seen = seen.take();
        let end = &seen[seen.len() - 2];
        assert!(end.starts_with(&format!("layer: {expected}")), "{seen:?}");
        let told = outcome.text();
        assert!(end.contains(told.lines().next().unwrap()), "{told}: {seen:?}");
    }
}

#[tokio::test]
async fn a_layer_does_not_see_requests_that_the_protocol_rejects() {
    #[mcp_tool(description = "Needs a scope.", scopes("words:write"))]
    async fn scoped() {}
    #[mcp_tool(description = "Needs a client with folders.", requires(roots))]
    async fn with_roots() {}

    let seen = Seen::default();
    let server = server(&seen).tools(tools![scoped, with_roots]).layer(Watcher("layer", seen.clone()));
    let service = server.build().unwrap();
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        for tool in ["unknown", "scoped", "with_roots"] {
            let mut client = Client::new(&service, revision).capabilities(json!({})).principal("ada");
            assert!(client.call(tool, ()).await.is_error(), "{tool}");
            assert_eq!(seen.take(), [""; 0], "{tool}");
        }
    }
}

#[tokio::test]
async fn a_layer_knows_tool_arguments_caller_and_client() {
    #[derive(serde::Deserialize)]
    struct Word {
        word: String,
    }
    let seen = Seen::default();
    let notes = seen.clone();
    let look = layer::admit_fn(move |call: CallInfo| {
        let notes = notes.clone();
        async move {
            let Word { word } = call.arguments().read()?;
            let principal = call.principal().map(|principal| principal.name().to_owned());
            notes.note(format!("{} {word} {principal:?} {:?}", call.tool(), call.client().name()));
            Ok(())
        }
    });
    let service = server(&seen).layer(look).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision).info("probe", "2").principal("ada");
        client.call("say", json!({ "word": "hi" })).await;
        assert_eq!(seen.take(), ["say hi Some(\"ada\") Some(\"probe\")", "tool"]);
        let unread = client.call("say", json!({ "word": 1 })).await;
        assert_eq!(unread.text(), "`word`: invalid type: integer `1`, expected a string");
    }
}

#[tokio::test]
async fn a_layer_can_replace_the_tool_and_change_its_result() {
    let seen = Seen::default();
    let replace =
        layer::from_fn(async |call: CallInfo, next: Next| match call.arguments().as_str().contains("cached") {
            true => Ok(CallToolResult::new([Content::text("from the cache")])),
            false => Ok(next.run().await?.with(Content::text("signed"))),
        });
    let service = server(&seen).layer(replace).build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision);
        assert_eq!(client.call("say", json!({ "word": "cached" })).await.text(), "from the cache");
        assert_eq!(seen.take(), [""; 0]);
        assert_eq!(client.call("say", json!({ "word": "hi" })).await.text(), "hi\nsigned");
        assert_eq!(seen.take(), ["tool"]);
    }
}

#[tokio::test]
async fn a_panic_in_a_layer_is_an_error_result_of_that_call() {
    let seen = Seen::default();
    let service = server(&seen)
        .layer(Watcher("outer", seen.clone()))
        .layer(layer::from_fn(async |call: CallInfo, next: Next| {
            assert!(!call.arguments().as_str().contains("early"), "before the tool");
            let outcome = next.run().await;
            assert!(!call.arguments().as_str().contains("late"), "after the tool");
            outcome
        }))
        .layer(layer::admit_fn(async |call: CallInfo| {
            assert!(!call.arguments().as_str().contains("admit"), "in `admit`");
            Ok(())
        }))
        .build()
        .unwrap();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision);
        for word in ["early", "late", "admit"] {
            let outcome = client.call("say", json!({ "word": word })).await;
            assert_eq!((outcome.is_error(), &*outcome.text()), (true, "internal error: the tool `say` panicked"));
            assert!(seen.take().contains(&"outer: error \"internal error: the tool `say` panicked\"".to_owned()));
        }
        assert_eq!(client.call("say", json!({ "word": "hi" })).await.text(), "hi");
        seen.take();
    }
}

#[tokio::test(start_paused = true)]
async fn drops_a_waiting_layer_at_the_timeout() {
    let seen = Seen::default();
    let service = server(&seen)
        .layer(Watcher("outer", seen.clone()))
        .layer(layer::from_fn(async |_, next: Next| {
            let outcome = next.run().await;
            tokio::time::sleep(Duration::from_secs(600)).await;
            outcome
        }))
        .build()
        .unwrap();
    let outcome = Client::modern(&service).call("linger", ()).await;
    assert_eq!(outcome.text(), "the tool `linger` did not finish within 5ms");
    assert_eq!(seen.take()[2..], ["outer: error \"the tool `linger` did not finish within 5ms\"", "outer: dropped"]);
}

/// Sends a call of the newest revision without waiting.
async fn begin(client: &MemoryClient, tool: &str) {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
    });
    let params = json!({ "name": tool, "_meta": meta });
    send(client, json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params })).await;
}

async fn send(client: &MemoryClient, message: Value) {
    client.send(&message.to_string()).await;
}

#[tokio::test]
async fn cancelling_a_call_drops_the_futures_of_its_layers() {
    #[mcp_tool(description = "Waits for longer than anybody does.")]
    async fn wait() {
        std::future::pending::<()>().await;
    }
    let seen = Seen::default();
    let server = server(&seen).tools(tools![wait]);
    let service = server.layer(Watcher("outer", seen.clone())).layer(Watcher("inner", seen.clone())).build().unwrap();
    let client = service.memory();
    begin(&client, "wait").await;
    assert_eq!(seen.take(), ["outer: admits wait", "outer: begins", "inner: admits wait", "inner: begins"]);
    send(&client, json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } })).await;
    while seen.0.lock().unwrap().len() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(seen.take(), ["inner: dropped", "outer: dropped"]);
}
