//! A tool that shows forms needs a handler.

use mcp_runtime::{Result, plugin::{Plugin, PluginHost}, prelude::*};

#[elicits]
pub enum Booking {
    PickFlight { flight: String },
    Confirm { confirmed: bool },
}

pub struct BookFlight;

/// Books a flight for the user.
#[handoff]
impl BookFlight {
    async fn before(&self) {}

    async fn client(ctx: &Ctx<Booking>, _: &()) -> Result<()> {
        let _ = ctx.elicit::<PickFlight>("Which?").await?;
        Ok(())
    }

    async fn after(&self, _: (), _: ()) {}
}

fn main() {
    let _ = PluginHost::builder(Server::new("s", "1")).plugin(Plugin::new(BookFlight));
}
