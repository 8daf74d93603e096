//! All mistakes are told in one compilation.

use mcp_runtime::{Elicited, Result, elicit::ElicitRequest, plugin::{Plugin, PluginHost}, prelude::*};

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

struct Ui;

impl BookingHandler for Ui {
    async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Cancel
    }
}

fn main() {
    let _ = PluginHost::builder(Server::new("s", "1"))
        .plugin(Plugin::new(BookFlight).on_elicit(Ui))
        .plugin(Plugin::new(BookFlight));
}
