//! Generated code uses nothing of the author's scope: not the prelude, not the crates it would find there.
#![allow(dead_code)]

use mcp_runtime::view::mcp_view;

mod core {}
mod std {}

struct Option;
struct Some;
struct None;
struct View;
struct ViewDefinition;

/// A small page.
#[mcp_view("ui://a/small", html = "small.html", permissions(camera))]
struct Small;

fn main() {}
