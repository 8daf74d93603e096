//! An application implements the trait of a set with plain `async fn`s.

use std::sync::Mutex;

use mcp_runtime::{Elicited, elicit::{ElicitRequest, HandledBy}, prelude::*};

#[elicits]
pub enum Booking {
    /// Which flight?
    PickFlight { flight: String },
    Confirm { confirmed: bool },
    Type(Details),
}

#[derive(Form)]
pub struct Details {
    name: String,
}

#[derive(Default)]
struct Ui {
    asked: Mutex<Vec<String>>,
}

impl BookingHandler for Ui {
    async fn pick_flight(&self, request: ElicitRequest<'_, PickFlight>) -> Elicited<PickFlight> {
        std::future::ready(()).await;
        self.asked.lock().unwrap().push(request.message().to_owned());
        Elicited::Accept(PickFlight { flight: request.key().to_owned() })
    }

    async fn confirm(&self, _request: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Accept(Confirm { confirmed: true })
    }

    fn r#type(&self, _request: ElicitRequest<'_, Details>) -> impl Future<Output = Elicited<Details>> + Send {
        std::future::ready(Elicited::Accept(Details { name: "Ann".into() }))
    }
}

fn answers<T: 'static, S: HandledBy<T>>(_handler: &T) {}

fn main() {
    answers::<Ui, Booking>(&Ui::default());
}
