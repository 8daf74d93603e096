//! The server that `tests/cli` runs. It has a tool, prompt or resource for each case that the command line must handle.

mod forms;
mod jobs;
mod letters;
mod models;
mod papers;

use std::{process::ExitCode, time::Duration};

use mcp_runtime::{
    Result,
    content::{Annotations, EmbeddedResource, ResourceLink},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state that `count` needs. The server does not have it if `WITHOUT_STATE` is set.
struct Start(u64);

/// How loud to say it.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Voice {
    #[default]
    Normal,
    Loud,
}

/// Say something. It is said as often as you like, but no more than nine times.
///
/// The voice changes the letters.
#[mcp_tool(title = "Say it", read_only, idempotent, open_world = false)]
async fn say(
    /// What to say.
    text: String,
    /// How often.
    #[schemars(range(min = 1, max = 9))]
    #[serde(default = "once")]
    times: u32,
    /// How loud.
    #[serde(default)]
    voice: Voice,
    /// Say it backwards.
    #[serde(default)]
    in_reverse: bool,
) -> String {
    let said = if in_reverse { text.chars().rev().collect() } else { text };
    let said = if matches!(voice, Voice::Loud) { said.to_uppercase() } else { said };
    vec![said; times as usize].join("\n")
}

fn once() -> u32 {
    1
}

/// Numbers, looked at.
#[derive(Serialize, JsonSchema)]
struct Sum {
    /// The numbers as they came.
    numbers: Vec<f64>,
    /// All of them together.
    total: f64,
    /// What is left of the budget, if there was one.
    left: Option<f64>,
}

/// Add numbers up.
#[mcp_tool(read_only)]
async fn sum(
    /// What to add.
    numbers: Vec<f64>,
    /// What the total is held against.
    budget: Option<i64>,
) -> Result<Json<Sum>> {
    let total: f64 = numbers.iter().sum();
    let left = budget.map(|budget| budget as f64 - total);
    if left.is_some_and(|left| left < 0.0) {
        return Err("the numbers are more than the budget".into());
    }
    Ok(Json(Sum { numbers, total, left }))
}

/// Count slowly, and tell how far it is.
#[mcp_tool]
async fn count(start: &Start, ctx: &Ctx, to: u64, #[serde(default)] pause_ms: u64) -> String {
    ctx.log(Level::Debug, "about to count");
    for number in start.0..=to {
        ctx.progress(number as f64).total(to as f64).message(format!("number {number}"));
        if number % 10 == 5 {
            ctx.log(Level::Warning, format!("{number} ends in five"));
        }
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
    }
    format!("counted to {to}")
}

/// Keep the thread busy, without a pause.
#[mcp_tool]
async fn block(ctx: &Ctx, seconds: u64) {
    ctx.log(Level::Info, "busy");
    for second in 0..seconds * 10 {
        ctx.progress(second as f64 / 10.0).total(seconds as f64);
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Show one of everything.
#[mcp_tool(read_only)]
async fn show() -> Vec<Content> {
    vec![
        Content::text("A picture:").annotated(Annotations::new().priority(0.5)),
        Content::image([0; 12_000], "image/png"),
        Content::audio([0; 700], "audio/wav"),
        ResourceLink::new("https://example.com/a", "a page").into(),
        EmbeddedResource::text("file:///notes", "some notes").mime_type("text/plain").into(),
    ]
}

/// Repeat what came, as it came. Its parameters have the names of options.
#[mcp_tool(read_only)]
async fn repeat(
    #[serde(default)] json: bool,
    #[serde(default)] help: String,
    log: Option<serde_json::Value>,
) -> Json<serde_json::Value> {
    Json(serde_json::json!({ "json": json, "help": help, "log": log }))
}

/// Name the folder the program was started in.
#[mcp_tool(read_only)]
async fn folder(ctx: &Ctx) -> Result<String> {
    let roots = ctx.roots().await?;
    ctx.log(Level::Notice, "asked");
    Ok(roots.iter().map(|root| root.uri.as_str()).collect())
}

/// A word whose reader takes less than its schema says.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
struct Word;

impl TryFrom<String> for Word {
    type Error = String;

    fn try_from(word: String) -> std::result::Result<Self, String> {
        if word.len().is_multiple_of(2) { Ok(Self) } else { Err(format!("`{word}` has an odd number of letters")) }
    }
}

/// Take exactly what fits.
#[mcp_tool(read_only)]
async fn exact(numbers: Vec<u8>, word: Option<Word>) -> Text<usize> {
    let _ = word;
    Text(numbers.len())
}

/// Panic.
#[mcp_tool]
async fn fall() {
    panic!("fell");
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let server = Server::new("cli-server", "1.2.3")
        .title("A server for a command line")
        .instructions("Say something before you count.")
        .tools(tools![
            say,
            sum,
            count,
            block,
            show,
            repeat,
            folder,
            fall,
            forms::book,
            forms::wipe,
            forms::pair,
            forms::connect,
            forms::place,
            exact,
            models::picture,
            models::choose,
            models::news,
            models::agent
        ])
        .prompts(letters::prompts())
        .resources(papers::resources());
    let server = if std::env::var_os("WITH_RUNS").is_some() { server.tool(jobs::jobs()) } else { server };
    let server =
        if std::env::var_os("WITH_MODEL").is_some() { server.sampling_provider(models::Parrot) } else { server };
    let server = if std::env::var_os("WITHOUT_STATE").is_some() { server } else { server.state(Start(1)) };
    server.run().await
}
