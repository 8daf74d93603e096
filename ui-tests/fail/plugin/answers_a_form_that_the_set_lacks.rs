//! A handler has no method for a form that its set lacks.

use mcp_runtime::{Elicited, Result, elicit::ElicitRequest, plugin::Plugin, prelude::*};

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
    async fn pick_flight(&self, _: ElicitRequest<'_, PickFlight>) -> Elicited<PickFlight> {
        Elicited::Cancel
    }

    async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Cancel
    }

    async fn pay(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Cancel
    }
}

fn main() {
    let _ = Plugin::new(BookFlight).on_elicit(Ui);
}
