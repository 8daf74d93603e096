//! The output of a remote tool can be read.

use mcp_runtime::{Text, remote::RemoteTool};
use serde::Serialize;

#[derive(Serialize)]
struct Search {
    text: String,
}

impl RemoteTool for Search {
    const NAME: &'static str = "search";
    type Output = Text<String>;
}

fn main() {}
