//! Tools with and without forms, with the handlers that they need.

use mcp_runtime::{
    Elicited, Result, Tool,
    elicit::{ElicitRequest, ElicitUrlRequest},
    plugin::{Plugin, PluginHost},
    prelude::*,
    tool::DynamicTool,
};
use serde_json::{Value, json};

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

    async fn elicit_url(&self, _: ElicitUrlRequest<'_>) -> Elicited<()> {
        Elicited::Cancel
    }
}

/// The name of the set is private, the tool is not.
pub mod tools {
    use mcp_runtime::{Result, prelude::*};

    #[elicits]
    enum Private {
        Sure { yes: bool },
    }

    pub struct Delete;

    /// Deletes a note.
    #[handoff]
    impl Delete {
        async fn before(&self) {}

        async fn client(ctx: &Ctx<Private>, _: &()) -> Result<()> {
            let _ = ctx.elicit::<Sure>("Sure?").await?;
            Ok(())
        }

        async fn after(&self, _: (), _: ()) {}
    }
}

fn main() {
    let count = DynamicTool::from_schema("count", "Counts.", json!({ "type": "object" }), async |_: Ctx, _: Value| "1");
    let builder = PluginHost::builder(Server::new("s", "1").tool(tools::Delete))
        .plugin(Plugin::new(BookFlight).on_elicit(Ui))
        .plugin(Plugin::new(BookFlight.with_name("book_again")).on_elicit(Ui))
        .on_elicit::<Booking, _>("book_flight", Ui)
        .plugin(Plugin::new(count));
    drop(builder);
}
