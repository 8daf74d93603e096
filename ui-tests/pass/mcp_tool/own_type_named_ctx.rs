//! An author's own `Ctx` is shared state by reference, and an argument by value.

use mcp_runtime::{mcp_tool, tools};

mod mine {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub struct Ctx {
        pub name: String,
    }
}

use mine::Ctx;

/// Says hello.
#[mcp_tool]
async fn hello(ctx: &Ctx, argument: Ctx) -> String {
    ctx.name.clone() + &argument.name
}

fn main() {
    let _ = tools![hello];
}
