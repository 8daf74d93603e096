//! Names the generated code uses itself do not get in the way of the author's.
#![allow(dead_code)]

use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Arguments {
    text: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Output;

struct Call;
struct Probe;
struct Argument0;

/// Calls a person.
#[mcp_tool]
async fn call(call: String, arguments: Arguments, output: Output, reference0: &Call, value: &Probe) -> String {
    let _ = (arguments.text, output, reference0, value);
    call
}

/// Defines.
#[mcp_tool]
async fn definition(definition: String, boxed: &Argument0) -> String {
    let _ = boxed;
    definition
}

/// Takes a parameter with its own name.
#[mcp_tool]
async fn arguments(arguments: Option<String>, #[serde(default = "deserializer")] deserializer: u32) {
    let _ = (arguments, deserializer);
}

/// A state whose methods have the names of those that the generated code calls.
struct Desk;

impl Desk {
    fn lend(&self, book: u32) -> u32 {
        book
    }
    fn fetch(&self) {}
    fn need(&self) {}
}

/// Lends a book.
#[mcp_tool]
async fn lend(desk: &Desk, book: u32) -> String {
    desk.lend(book).to_string()
}

fn deserializer() -> u32 {
    3
}

fn main() {
    let _ = tools![call, definition, arguments, lend];
}
