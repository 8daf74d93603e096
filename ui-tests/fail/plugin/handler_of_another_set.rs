//! A handler answers the set of its tool.

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

mod other {
    use mcp_runtime::{Elicited, elicit::ElicitRequest, prelude::*};

    #[elicits]
    pub enum Payment {
        Pay { amount: f64 },
    }

    pub struct Cashier;

    impl PaymentHandler for Cashier {
        async fn pay(&self, _: ElicitRequest<'_, Pay>) -> Elicited<Pay> {
            Elicited::Cancel
        }
    }
}

fn main() {
    drop(Plugin::new(BookFlight).on_elicit(other::Cashier).start(Server::new("s", "1")));
}
