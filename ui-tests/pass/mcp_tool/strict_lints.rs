//! A crate with strict lints: none fires for what the rules of tools ask of a function.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    non_snake_case,
    unnameable_types,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic
)]

use std::collections::HashMap;

use mcp_runtime::prelude::*;

/// How to find.
#[derive(Debug)]
pub struct Config {
    verbose: bool,
}

/// How many.
#[derive(Clone, Copy, Debug, serde::Deserialize, schemars::JsonSchema)]
pub struct Limit(u8);

/// Adds two numbers.
#[mcp_tool]
pub async fn add(a: i64, b: i64) -> String {
    (a + b).to_string()
}

/// Finds a text.
#[mcp_tool]
pub async fn find(
    text: String,
    limit: Limit,
    config: &Config,
    rows: &Vec<String>,
    case: bool,
    word: bool,
    regex: bool,
    #[serde(default)] multiline: bool,
    columns: HashMap<String, u32>,
) -> Result<String, ToolError> {
    let flags = [config.verbose, case, word, regex, multiline].into_iter().filter(|flag| *flag).count();
    let row = rows.iter().position(|row| *row == text).ok_or("not found")?;
    Ok(format!("{row} {flags} {} {}", limit.0, columns.len()))
}

#[deprecated = "use `add`"]
/// Adds two numbers.
#[mcp_tool]
pub async fn plus(a: i64, b: i64) -> String {
    (a + b).to_string()
}

/// Registers them.
#[allow(deprecated)]
pub fn main() {
    drop(tools![add, find, plus]);
    let _ = Config { verbose: true };
}
