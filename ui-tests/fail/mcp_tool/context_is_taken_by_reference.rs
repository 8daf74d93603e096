use mcp_runtime::prelude::*;

/// Says hello.
#[mcp_tool]
async fn hello(ctx: Ctx) {
    drop(ctx);
}

fn main() {}
