use std::time::Instant;

use mcp_runtime::{Result, prelude::*};

struct Receipt(#[allow(dead_code)] u32);

/// Pays the bill.
#[mcp_tool(replayable)]
async fn pay(ctx: &Ctx) -> Result<()> {
    ctx.step("pay", async { Receipt(7) }).await?;
    ctx.try_step("start", async { Ok::<_, ToolError>(Instant::now()) }).await?;
    Ok(())
}

/// Pays, or fails to.
#[mcp_tool(replayable)]
async fn try_to_pay(ctx: &Ctx) -> Result<()> {
    ctx.step("pay", async { Err::<(), _>(std::io::Error::other("no money")) }).await?.map_err(ToolError::from)
}

fn main() {
    drop(tools![pay, try_to_pay]);
}
