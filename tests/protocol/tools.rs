//! The server of these tests: a tool for everything that a call can do.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{
    Annotations, Audience, Content, EmbeddedResource, Icon, ResourceLink, Result, Server, Theme, prelude::*,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use tokio::{sync::Semaphore, time::sleep};

/// A server with all of these tools.
pub(crate) fn server() -> (Server, Gate) {
    let gate = Gate::default();
    let server = Server::new("probe", "1.2.3")
        .title("Probe")
        .instructions("For tests.")
        .website_url("https://example.com/probe")
        .icon(Icon::new("https://example.com/probe.png").mime_type("image/png").size("48x48").theme(Theme::Dark))
        .state(gate.clone())
        .tools(tools![
            echo, add, numbers, gallery, everything, fail, refuse, hold, haunt, straggle, crowd, nap, brief, report,
            speak
        ])
        .tools(tools![panic_at_once, panic_later, unreadable, unspeakable, unserializable, ask]);
    (server, gate)
}

/// Returns the text it is given.
#[mcp_tool(read_only)]
pub(crate) async fn echo(text: String) -> String {
    text
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct Sum {
    total: i64,
}

/// Adds two numbers.
#[mcp_tool(
    title = "Add",
    read_only,
    idempotent,
    destructive = false,
    open_world = false,
    meta("com.example/unit" = "one")
)]
pub(crate) async fn add(
    /// The first of them.
    a: i64,
    /// The other.
    #[serde(default)]
    b: i64,
) -> Json<Sum> {
    Json(Sum { total: a + b })
}

/// Counts. Its result is no object.
#[mcp_tool]
pub(crate) async fn numbers(count: i64) -> Json<Vec<i64>> {
    Json((1..=count).collect())
}

/// Shows a block of every kind.
#[mcp_tool]
pub(crate) async fn gallery() -> Vec<Content> {
    let annotations = Annotations::new().audience(Audience::User).priority(0.5).last_modified("2026-07-28T12:00:00Z");
    vec![
        Content::text("text").annotated(annotations),
        Content::image(b"\x89PNG", "image/png"),
        Content::audio(b"RIFF", "audio/wav"),
        ResourceLink::new("file:///a.txt", "a.txt").title("A").mime_type("text/plain").size(3).into(),
        EmbeddedResource::text("file:///b.txt", "b").mime_type("text/plain").into(),
        EmbeddedResource::blob("file:///c.bin", b"c").into(),
    ]
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Tree {
    name: String,
    #[serde(default)]
    children: Vec<Tree>,
}

/// Takes values of every shape, and returns them.
#[mcp_tool]
pub(crate) async fn everything(
    any: Value,
    tree: Tree,
    map: BTreeMap<String, Vec<u8>>,
    maybe: Option<f64>,
) -> Json<BTreeMap<String, Value>> {
    let parts =
        [("any", any), ("tree", serde_json::json!(tree)), ("map", map.into_iter().collect()), ("maybe", maybe.into())];
    Json(parts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Fails with an error that has a source.
#[mcp_tool]
pub(crate) async fn fail() -> Result<String> {
    Err(ToolError::from(Outer(std::io::Error::other("the disk is full"))))
}

#[derive(Debug)]
struct Outer(std::io::Error);

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing was saved")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Fails with this text.
#[mcp_tool]
pub(crate) async fn refuse(text: String) -> Result<String> {
    Err(text.into())
}

/// What lets the calls of `hold` go, and counts them.
#[derive(Clone, Default)]
pub(crate) struct Gate(Arc<Held>);

pub(crate) struct Held {
    room: Semaphore,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Default for Held {
    fn default() -> Self {
        Self { room: Semaphore::new(0), running: AtomicUsize::new(0), most: AtomicUsize::new(0) }
    }
}

impl Gate {
    /// Lets this many calls go.
    pub(crate) fn release(&self, calls: usize) {
        self.0.room.add_permits(calls);
    }

    /// How many calls are held now.
    pub(crate) fn running(&self) -> usize {
        self.0.running.load(Ordering::SeqCst)
    }

    /// How many calls were ever held at once.
    pub(crate) fn most(&self) -> usize {
        self.0.most.load(Ordering::SeqCst)
    }

    /// Waits until so many calls are held.
    pub(crate) async fn wait_for(&self, calls: usize) {
        let reached = async {
            while self.running() != calls {
                sleep(Duration::from_millis(1)).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(10), reached).await;
        assert!(waited.is_ok(), "{} calls are held, not {calls}", self.running());
    }
}

/// Counts its call for as long as the call's future lives.
struct Counted(Gate);

impl Counted {
    fn new(gate: &Gate) -> Self {
        let running = gate.0.running.fetch_add(1, Ordering::SeqCst) + 1;
        gate.0.most.fetch_max(running, Ordering::SeqCst);
        Self(gate.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Waits until it is let go.
#[mcp_tool]
pub(crate) async fn hold(gate: &Gate, ctx: &Ctx) -> Result<&'static str> {
    let _counted = Counted::new(gate);
    ctx.progress(0.1);
    gate.0.room.acquire().await?.forget();
    ctx.progress(0.9);
    ctx.log(Level::Error, "let go");
    Ok("let go")
}

/// Starts a task that outlives a cancelled call, and waits.
#[mcp_tool]
pub(crate) async fn haunt(gate: &Gate, ctx: &Ctx) {
    let (gate, ctx) = (gate.clone(), ctx.clone());
    let ghost = tokio::spawn(async move {
        let _counted = Counted::new(&gate);
        ctx.cancelled().await;
        assert!(ctx.is_cancelled());
        ctx.progress(0.5).message("boo");
        ctx.log(Level::Emergency, "boo");
    });
    drop(ghost.await);
}

/// Starts a task that outlives the call, and does not wait for it.
#[mcp_tool]
pub(crate) async fn straggle(gate: &Gate, ctx: &Ctx) {
    let (gate, ctx) = (gate.clone(), ctx.clone());
    let counted = Counted::new(&gate);
    tokio::spawn(async move {
        let _counted = counted;
        if let Ok(permit) = gate.0.room.acquire().await {
            permit.forget();
        }
        ctx.progress(0.5).message("boo");
        ctx.log(Level::Emergency, "boo");
    });
}

/// Reports from several threads at once, until they are all done.
#[mcp_tool]
pub(crate) async fn crowd(ctx: &Ctx) -> Result<()> {
    let counter = Arc::new(AtomicUsize::new(1));
    let threads = [(); 4].map(|()| {
        let (ctx, counter) = (ctx.clone(), Arc::clone(&counter));
        tokio::task::spawn_blocking(move || {
            for _ in 0..500 {
                let value = counter.fetch_add(1, Ordering::Relaxed) as f64;
                ctx.progress(value).total(value);
            }
        })
    });
    for thread in threads {
        thread.await?;
    }
    Ok(())
}

/// Takes some time.
#[mcp_tool]
pub(crate) async fn nap(milliseconds: u64) -> String {
    sleep(Duration::from_millis(milliseconds)).await;
    format!("slept {milliseconds} ms")
}

/// Waits until it is let go, but not long.
#[mcp_tool(timeout = "50ms")]
pub(crate) async fn brief(gate: &Gate) -> Result<()> {
    let _counted = Counted::new(gate);
    gate.0.room.acquire().await?.forget();
    Ok(())
}

/// Reports these values of progress.
#[mcp_tool]
pub(crate) async fn report(ctx: &Ctx, values: Vec<f64>, total: Option<f64>, pause: u64) {
    for value in values {
        let progress = ctx.progress(value).message("on it");
        if let Some(total) = total {
            drop(progress.total(total));
        } else {
            drop(progress);
        }
        sleep(Duration::from_millis(pause)).await;
    }
}

/// Says something at every level.
#[mcp_tool]
pub(crate) async fn speak(ctx: &Ctx) {
    for level in Level::ALL {
        ctx.log(level, level.as_str());
    }
}

/// Panics before it waits.
#[mcp_tool]
pub(crate) async fn panic_at_once() -> String {
    panic!("a secret")
}

/// Panics after it has waited.
#[mcp_tool]
pub(crate) async fn panic_later() -> String {
    sleep(Duration::from_millis(1)).await;
    panic!("a secret")
}

/// Reading it panics.
#[derive(JsonSchema)]
pub(crate) struct Mine(#[expect(dead_code, reason = "never made")] String);

impl<'de> Deserialize<'de> for Mine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        panic!("a secret: {}", String::deserialize(deserializer)?)
    }
}

/// Takes what cannot be read without a panic.
#[mcp_tool]
pub(crate) async fn unreadable(mine: Mine) {
    drop(mine);
}

#[derive(Debug)]
pub(crate) struct Unspeakable;

impl fmt::Display for Unspeakable {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("a secret")
    }
}

impl std::error::Error for Unspeakable {}

/// Fails with an error whose text panics.
#[mcp_tool]
pub(crate) async fn unspeakable() -> Result<(), Unspeakable> {
    Err(Unspeakable)
}

pub(crate) struct Unserializable;

impl Serialize for Unserializable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("a secret"))
    }
}

impl JsonSchema for Unserializable {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unserializable".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

/// Returns what cannot be written.
#[mcp_tool]
pub(crate) async fn unserializable() -> Json<Unserializable> {
    Json(Unserializable)
}

/// Needs a client that shows forms.
#[mcp_tool(requires(elicitation))]
pub(crate) async fn ask(ctx: &Ctx) -> Text<bool> {
    Text(ctx.client().supports(mcp_runtime::Capability::Elicitation))
}
