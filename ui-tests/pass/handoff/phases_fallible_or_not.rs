//! Each phase may fail or not, whatever the `Result` is called.
use std::{convert::Infallible, io};

use mcp_runtime::prelude::*;

type Maybe<T> = io::Result<T>;

#[elicits]
enum Booking {
    Pick { flight: String },
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Flights(Vec<String>);

struct Never;

/// No phase fails.
#[handoff]
impl Never {
    async fn before(&self) -> Flights {
        Flights(Vec::new())
    }

    async fn client(_ctx: &Ctx<Booking>, _flights: &Flights) -> u8 {
        1
    }

    async fn after(&self, flights: Flights, picked: u8) -> String {
        format!("{} {picked}", flights.0.len())
    }
}

struct Always;

/// All phases may fail.
#[handoff]
impl Always {
    async fn before(&self) -> Maybe<Flights> {
        Err(io::Error::other("closed"))
    }

    async fn client(ctx: &Ctx<Booking>, _flights: &Flights) -> mcp_runtime::Result<Pick> {
        Ok(ctx.elicit::<Pick>("Which?").strict().await?)
    }

    async fn after(&self, _flights: Flights, picked: Pick) -> Result<String, Infallible> {
        Ok(picked.flight)
    }
}

struct Results;

/// A `Result` may be what passes itself.
#[handoff]
impl Results {
    async fn before(&self) -> Result<u8, String> {
        Err("none".to_owned())
    }

    async fn client(_ctx: &Ctx, _kept: &Result<u8, String>) -> Result<Option<u8>, ToolError> {
        Ok(None)
    }

    async fn after(&self, kept: Result<u8, String>, picked: Option<u8>) {
        drop((kept, picked));
    }
}

fn main() {
    let server = Server::new("test", "1").tool(Never).tool(Always).tool(Results);
    assert!(server.build().is_ok());
}
