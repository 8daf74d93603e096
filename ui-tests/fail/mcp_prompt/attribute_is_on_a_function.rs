//! The attribute belongs on a function.

use mcp_runtime::prelude::*;

#[mcp_prompt]
struct Greeting;

fn main() {
    let _ = Greeting;
}
