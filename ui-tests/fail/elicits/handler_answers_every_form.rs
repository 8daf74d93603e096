use mcp_runtime::prelude::*;

use mcp_runtime::{Elicited, elicit::ElicitRequest};

#[elicits]
enum Booking {
    Pick { flight: String },
    Confirm { confirmed: bool },
}

struct Ui;

impl BookingHandler for Ui {
    async fn pick(&self, _request: ElicitRequest<'_, Pick>) -> Elicited<Pick> {
        Elicited::Decline
    }
}

fn main() {}
