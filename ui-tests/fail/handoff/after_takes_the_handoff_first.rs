use mcp_runtime::{Result, prelude::*};

#[derive(serde::Serialize, serde::Deserialize)]
struct Flights(Vec<String>);

struct Choice(usize);

struct Book;

/// Books a flight.
#[handoff]
impl Book {
    async fn before(&self) -> Result<Flights> {
        Ok(Flights(Vec::new()))
    }

    async fn client(_ctx: &Ctx, _flights: &Flights) -> Result<Choice> {
        Ok(Choice(0))
    }

    async fn after(&self, choice: Choice, flights: Flights) -> String {
        flights.0[choice.0].clone()
    }
}

fn main() {
    drop(Server::new("flights", "1").tool(Book));
}
