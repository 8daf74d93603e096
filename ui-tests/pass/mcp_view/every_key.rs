//! Every key of the attribute, and every place of a view.
#![deny(warnings)]

use mcp_runtime::{actions::Actions, prelude::*, view::View};

/// The docs, which `description` overrides.
#[mcp_view(
    "ui://flights/seats",
    html = "page.html",
    name = "seats",
    title = "Seats",
    description = concat!("The seats", " of a flight."),
    csp(
        connect = ["https://api.example", "wss://api.example:8080"],
        resource = "https://*.example",
        frame = "https://frame.example",
        base_uri = "https://base.example",
    ),
    permissions(camera, microphone, geolocation, clipboard_write),
    prefers_border = false,
    domain = "seats.example",
    allow(undeclared_origin),
    crate = ::mcp_runtime,
)]
pub struct SeatMap;

/// Shows which seats of a flight are free.
#[mcp_tool(view = SeatMap, visibility = "app")]
async fn show_seats() -> Json<u8> {
    Json(1)
}

struct Book;

/// Books a seat.
#[handoff(view = crate::SeatMap, visibility = "model")]
impl Book {
    async fn before(&self) {}

    async fn client(_ctx: &Ctx, (): &()) {}

    async fn after(&self, (): (), (): ()) -> mcp_runtime::Result<Json<u8>> {
        Ok(Json(1))
    }
}

struct Flights;

/// Manages flights.
#[mcp_actions(view = SeatMap)]
impl Flights {
    /// Lists the flights.
    #[action]
    async fn list(&self) -> Json<u8> {
        Json(1)
    }
}

fn main() {
    assert_eq!(SeatMap::DEFINITION.uri(), "ui://flights/seats");
    assert!(SeatMap::DEFINITION.html().starts_with("<!doctype html>"));
    let flights: Actions = Flights.into_actions();
    let server = Server::new("flights", "1").tools(tools![show_seats]).tool(Book).tool(flights);
    assert_eq!(server.build().unwrap().manifest()["resources"].as_array().unwrap().len(), 1);
}
