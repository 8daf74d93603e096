//! Generated code uses nothing of the author's scope: not the prelude, not the crates it would find there.
#![allow(dead_code)]

use mcp_runtime::{mcp_tool, tools};

mod core {}
mod schemars {}
mod serde {}
mod std {}

struct Option;
struct Result;
struct String;
struct Vec;
struct Box;
struct Ok;
struct Err;
struct Some;
struct None;
struct Default;
struct From;
struct Into;
struct Send;
struct Tool;
struct D;
struct S;
struct T;

type Text = ::std::string::String;
type Maybe = ::core::option::Option<u32>;

/// Repeats a text.
#[mcp_tool(read_only, timeout = "1s")]
async fn repeat(text: Text, times: Maybe, #[serde(default)] trim: bool, _state: &T) -> Text {
    let text = if trim { text.trim() } else { &text };
    text.repeat(times.unwrap_or(1) as usize)
}

fn main() {
    let _ = tools![repeat];
}
