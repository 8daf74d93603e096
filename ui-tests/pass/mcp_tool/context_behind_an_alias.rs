//! The type decides what is the context, not its name.

use mcp_runtime::prelude::*;

type Context = Ctx;

/// Says hello.
#[mcp_tool]
async fn hello(context: &Context, again: &Ctx, once_more: &mcp_runtime::Ctx) {
    let _: (&Ctx, &Ctx, &Ctx) = (context, again, once_more);
}

fn main() {
    let _ = tools![hello];
}
