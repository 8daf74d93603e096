//! A server that lets a model search and read the source code below one directory.
//!
//! It shows long work on a blocking thread (`search`) that reports progress, and stops when the call is cancelled;
//! arguments taken as one struct (`#[params]`); text and structured results; and errors that a model can act on.
//! The tools are in this file, their implementations in the other modules. `root` decides which files are visible.
//!
//! `transcript.jsonl` contains the messages of a client and the server about the tree in `fixture/`.

mod error;
mod items;
mod language;
mod line;
mod matches;
mod query;
mod root;
mod text;
mod watch;

use mcp_runtime::{Result, prelude::*};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::task::spawn_blocking;

pub use self::root::{Root, SearchSettings};
use self::{items::Outline, matches::Matches, query::Query};

/// Search the contents of all files for a regular expression, line by line. Hidden and ignored files are left out.
///
/// Use it to find where a name is defined or used; then `read_lines` shows more of a file.
#[mcp_tool(title = "Search code", read_only, open_world = false, timeout = "60s")]
pub async fn search(root: &Root, ctx: &Ctx, #[params] query: Query) -> Result<Json<Matches>> {
    // The thread can outlive the call for a moment, so it gets its own `root`. It checks `ctx` for cancellation.
    let (root, ctx) = (root.clone(), ctx.clone());
    // The first `?` is for a panic of the thread, the second for an error of the search.
    let found = spawn_blocking(move || root.search(&query, &ctx)).await??;
    Ok(Json(found))
}

/// Files that fit a search by name.
#[derive(Debug, Serialize, JsonSchema)]
struct Files {
    /// The paths of the first matching files, sorted.
    files: Vec<String>,
    /// The total number of matching files.
    total: usize,
}

/// Find files by name. Hidden and ignored files are left out.
#[mcp_tool(title = "Find files", read_only, open_world = false)]
async fn find_files(
    root: &Root,
    ctx: &Ctx,
    /// Globs as in a `.gitignore`: `*.rs` is in any directory, `src/**` is all below `src`, `!*.lock` leaves files
    /// out. An empty list matches every file.
    #[serde(default)]
    globs: Vec<String>,
    /// How many paths to show.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(default = "two_hundred")]
    limit: usize,
) -> Result<Json<Files>> {
    let (root, ctx) = (root.clone(), ctx.clone());
    let found = spawn_blocking(move || root.files(&root.entry(".")?, &globs, &ctx)).await??;
    Ok(Json(Files { total: found.len(), files: found.into_iter().take(limit).map(|file| file.name).collect() }))
}

/// Read some lines of a file, each with its number.
#[mcp_tool(title = "Read lines", read_only, open_world = false)]
async fn read_lines(
    root: &Root,
    /// The path of the file below the root, as `search` and `find_files` give it.
    #[schemars(length(max = 1000))]
    path: String,
    /// The number of the first line to read.
    #[schemars(range(min = 1))]
    #[serde(default = "one")]
    first: usize,
    /// How many lines to read.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(default = "two_hundred")]
    count: usize,
) -> Result<String> {
    let root = root.clone();
    let lines = spawn_blocking(move || root.read_lines(&path, first, count)).await??;
    Ok(lines)
}

/// List what a source file defines (functions, types, classes, …), with line numbers. Knows Rust, Python,
/// TypeScript, JavaScript, Go and C.
///
/// Use it to see what is in a file before you read it.
#[mcp_tool(title = "Outline", read_only, open_world = false)]
async fn outline(
    root: &Root,
    /// The path of the file below the root, as `search` and `find_files` give it.
    #[schemars(length(max = 1000))]
    path: String,
) -> Result<Json<Outline>> {
    let root = root.clone();
    let outline = spawn_blocking(move || root.outline(&path)).await??;
    Ok(Json(outline))
}

fn one() -> usize {
    1
}

fn two_hundred() -> usize {
    200
}

/// Creates the server for the code below the directory of its settings.
pub fn server() -> Server {
    Server::new("code_search", env!("CARGO_PKG_VERSION"))
        .title("Code search")
        .instructions("Source code below one directory, read only. Paths are relative to it.")
        .settings::<SearchSettings>()
        .state_from(SearchSettings::open)
        .landing_page()
        .tools(tools![search, find_files, read_lines, outline])
}
