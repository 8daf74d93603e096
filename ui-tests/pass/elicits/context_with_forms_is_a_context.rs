//! A helper that asks with no forms takes the context of every tool.

use mcp_runtime::{Result, prelude::*};

#[elicits]
enum Booking {
    Confirm { confirmed: bool },
}

async fn price(ctx: &Ctx, flight: &str) -> Result<usize> {
    note(ctx);
    Ok(ctx.step("price", async { flight.len() }).await?)
}

fn note<S, P>(ctx: &Ctx<S, P>) {
    ctx.log(Level::Info, "noted");
}

/// Books a flight.
#[mcp_tool(replayable)]
async fn book(ctx: &Ctx<Booking>, flight: String) -> Result<Text<usize>> {
    note(ctx);
    let price = price(ctx, &flight).await?;
    match ctx.elicit::<Confirm>(format!("Book for {price}?")).await? {
        Elicited::Accept(Confirm { confirmed: true }) => Ok(Text(price)),
        Elicited::Accept(_) | Elicited::Decline | Elicited::Cancel => Err("not booked".into()),
    }
}

/// The same price, without a question.
#[mcp_tool(replayable)]
async fn look_up(ctx: &Ctx, flight: String) -> Result<Text<usize>> {
    Ok(Text(price(ctx, &flight).await?))
}

fn main() {
    Server::new("flights", "1.0.0").tools(tools![book, look_up]).build().unwrap();
}
