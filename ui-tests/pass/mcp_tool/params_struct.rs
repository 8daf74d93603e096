//! `#[params]` takes the whole arguments object.

use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// What to look for.
    search_text: String,
    #[serde(flatten)]
    page: Page,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    limit: usize,
}

struct Db;

/// Searches the notes.
#[mcp_tool]
async fn search(db: &Db, #[params] arguments: Arguments) -> String {
    let _ = db;
    arguments.search_text.chars().take(arguments.page.limit).collect()
}

fn main() {
    let _ = tools![search];
}
