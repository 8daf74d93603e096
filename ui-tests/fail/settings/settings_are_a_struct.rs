//! Settings are the named fields of a struct.

use mcp_runtime::prelude::*;

#[derive(Settings)]
enum Mode {
    Fast,
}

#[derive(Settings)]
struct Root(String);

#[derive(Settings)]
struct Nothing;

#[derive(Settings)]
struct Empty {}

fn main() {}
