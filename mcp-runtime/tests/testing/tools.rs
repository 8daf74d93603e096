//! The tools that are called.

use std::time::Duration;

use mcp_runtime::{Elicited, Result, Server, Service, prelude::*};
use serde_json::{Value, json};

#[elicits]
pub(crate) enum Booking {
    PickFlight { flight: String, seat: Option<Seat> },
    Confirm { confirmed: bool },
}

#[derive(Choice, Clone, Debug)]
pub(crate) enum Seat {
    Window,
    Aisle,
}

/// Books a flight.
#[mcp_tool]
async fn book(ctx: &Ctx<Booking>, to: String) -> Result<String> {
    let Elicited::Accept(pick) = ctx.elicit::<PickFlight>(format!("Flights to {to}:")).await? else {
        return Ok("no flight".to_owned());
    };
    match ctx.elicit::<Confirm>("Sure?").await? {
        Elicited::Accept(Confirm { confirmed: true }) => Ok(format!("booked {} ({:?})", pick.flight, pick.seat)),
        Elicited::Accept(_) => Ok("not sure".to_owned()),
        Elicited::Decline => Ok("declined".to_owned()),
        Elicited::Cancel => Ok("cancelled".to_owned()),
    }
}

/// Asks both at once.
#[mcp_tool]
async fn book_quickly(ctx: &Ctx<Booking>) -> Result<String> {
    let (sure, pick) =
        tokio::try_join!(ctx.elicit::<Confirm>("Sure?").strict(), ctx.elicit::<PickFlight>("Flight:").strict(),)?;
    Ok(format!("{} {}", pick.flight, sure.confirmed))
}

/// Sends the user to a page.
#[mcp_tool(requires(elicitation_url))]
async fn connect(ctx: &Ctx) -> Result<&'static str> {
    ctx.elicit_url("connect", "https://example.com/connect", "Connect").await?.complete();
    Ok("connected")
}

/// Names the folders that are open.
#[mcp_tool]
async fn folders(ctx: &Ctx, prefix: Option<String>) -> Result<String> {
    ctx.log(Level::Debug, "asking");
    let roots = ctx.roots().await?;
    ctx.progress(1.0).message("asked");
    let uris: Vec<_> = roots.iter().map(|root| root.uri.as_str()).collect();
    Ok(format!("{}{}", prefix.unwrap_or_default(), uris.join(",")))
}

/// Asks twice together, then once more.
#[mcp_tool]
async fn thrice(ctx: &Ctx) -> Result<String> {
    let (first, second) = tokio::try_join!(ctx.roots(), ctx.roots())?;
    let third = ctx.roots().await?;
    Ok([first, second, third].map(|roots| roots[0].uri.clone()).join(" "))
}

/// Who calls?
#[mcp_tool]
async fn caller(ctx: &Ctx) -> Json<Value> {
    let client = ctx.client();
    Json(json!({ "name": client.name(), "revision": client.revision().as_str() }))
}

/// Takes its time.
#[mcp_tool]
async fn sleep(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

pub(crate) fn service() -> Service {
    Server::new("test", "1")
        .page_size(3)
        .tools(tools![folders, thrice, caller, sleep, book, book_quickly, connect])
        .build()
        .unwrap()
}
