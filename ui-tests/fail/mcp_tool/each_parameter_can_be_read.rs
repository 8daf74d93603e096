use mcp_runtime::prelude::*;

struct Place;

type Destination = Place;

/// Searches for flights.
#[mcp_tool]
async fn search(origin: Place, destination: Destination, stops: Vec<Place>, #[serde(default)] via: Option<Place>) {
    let _ = (origin, destination, stops, via);
}

fn main() {}
