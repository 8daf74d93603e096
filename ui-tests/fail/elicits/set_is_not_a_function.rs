use mcp_runtime::prelude::*;

#[elicits]
async fn sign_up(ctx: &Ctx) {
    let _ = ctx;
}

fn main() {}
