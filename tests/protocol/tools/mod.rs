//! The server of these tests. It has a tool for each thing that a call can do.

pub(crate) mod failures;
mod gate;
pub(crate) mod slow;

use std::{collections::BTreeMap, time::Duration};

use mcp_runtime::{
    Content, Server,
    content::{Annotations, Audience, EmbeddedResource, Icon, ResourceLink, Theme},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::sleep;

pub(crate) use self::gate::Gate;

/// Creates a server with all of these tools, and the gate that holds the calls of `hold`.
pub(crate) fn server() -> (Server, Gate) {
    let gate = Gate::default();
    let server = Server::new("probe", "1.2.3")
        .title("Probe")
        .instructions("For tests.")
        .website_url("https://example.com/probe")
        .icon(Icon::new("https://example.com/probe.png").mime_type("image/png").size("48x48").theme(Theme::Dark))
        .state(gate.clone())
        .tools(tools![echo, add, numbers, gallery, everything, report, speak, ask])
        .tools(tools![
            slow::hold,
            slow::haunt,
            slow::straggle,
            slow::crowd,
            slow::nap,
            slow::brief,
            slow::block,
            slow::held,
            slow::chatter
        ])
        .tools(tools![failures::fail, failures::refuse, failures::unreadable, failures::unspeakable])
        .tools(tools![failures::panic_at_once, failures::panic_later, failures::unserializable]);
    (server, gate)
}

/// Creates a server with some of these tools, which lists two tools per page.
pub(crate) fn few() -> Server {
    Server::new("few", "1.0.0")
        .state(Gate::default())
        .tools(tools![add, numbers, gallery, report, speak, failures::refuse, failures::panic_later, slow::hold])
        .page_size(2)
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

/// Needs a client that shows forms.
#[mcp_tool(requires(elicitation))]
pub(crate) async fn ask(ctx: &Ctx) -> Text<bool> {
    Text(ctx.client().supports(mcp_runtime::call::Capability::Elicitation))
}
