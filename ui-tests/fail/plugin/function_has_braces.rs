//! A function is not a tool: its name with braces is.

use mcp_runtime::{Elicited, Result, elicit::ElicitRequest, plugin::Plugin, prelude::*};

#[elicits]
enum Booking {
    Confirm { confirmed: bool },
}

/// Books a flight.
#[mcp_tool]
async fn book(ctx: &Ctx<Booking>) -> Result<()> {
    ctx.elicit::<Confirm>("Book it?").strict().await?;
    Ok(())
}

struct Ui;

impl BookingHandler for Ui {
    async fn confirm(&self, _: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Cancel
    }
}

async fn started() {
    let host = Plugin::new(book).on_elicit(Ui).start(Server::new("s", "1")).await.unwrap();
    let _ = host.call(()).await;
}

fn main() {
    drop(started());
}
