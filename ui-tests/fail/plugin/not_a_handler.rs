//! A handler implements the trait that `#[elicits]` generates.

use mcp_runtime::{Result, plugin::Plugin, prelude::*};

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

fn main() {
    let _ = Plugin::new(BookFlight).on_elicit(Ui);
}
