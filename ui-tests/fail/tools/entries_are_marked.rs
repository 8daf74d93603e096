use mcp_runtime::prelude::*;

async fn search() {}

fn main() {
    let _ = tools![search];
}
