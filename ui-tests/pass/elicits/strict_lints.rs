//! A crate with strict lints: none fires for what the macros write.
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    non_snake_case,
    single_use_lifetimes,
    unnameable_types,
    unreachable_pub,
    unused,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic
)]

use mcp_runtime::{
    Elicited,
    elicit::{ElicitRequest, Email, MultiSelect},
    prelude::*,
};

/// What booking asks.
#[elicits]
#[derive(Clone, Debug, PartialEq)]
pub enum Booking {
    /// Pick one of the flights of `example.com`.
    PickFlight {
        /// The flight's number.
        #[elicit(title = "Flight", min_length = 3, default = "TP1")]
        flight_id: String,
        /// Where to sit.
        #[elicit(default = "none")]
        seat: Option<Seat>,
        /// What else.
        #[elicit(min_items = 1)]
        seats: MultiSelect<Seat>,
    },
    /// Really?
    #[elicit(key = "sure")]
    Confirm {
        /// Whether it is.
        confirmed: bool,
        /// Whether it is to be told.
        confirmed_told: bool,
        /// Whether it is certain.
        confirmed_certain: bool,
        /// Whether it is settled.
        confirmed_settled: bool,
    },
    /// Who?
    Details(Details),
}

/// Who.
#[derive(Form, Clone, Debug, PartialEq)]
pub struct Details {
    /// As in the passport.
    #[elicit(max_length = 40)]
    pub name: String,
    email: Option<Email>,
}

/// Where to sit.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// At the window.
    Window,
    /// At the aisle.
    Aisle,
    /// Anywhere.
    #[choice(title = "No preference")]
    None,
}

/// Answers no.
#[derive(Debug)]
pub struct No;

impl BookingHandler for No {
    async fn pick_flight(&self, _request: ElicitRequest<'_, PickFlight>) -> Elicited<PickFlight> {
        Elicited::Decline
    }

    async fn confirm(&self, _request: ElicitRequest<'_, Confirm>) -> Elicited<Confirm> {
        Elicited::Decline
    }

    async fn details(&self, _request: ElicitRequest<'_, Details>) -> Elicited<Details> {
        Elicited::Decline
    }
}

/// Books a seat.
#[mcp_tool]
pub async fn book(ctx: &Ctx<Booking>) -> mcp_runtime::Result<String> {
    let pick = ctx.elicit::<PickFlight>("Which one?").choices(PickFlight::FLIGHT_ID, ["TP1"]).strict().await?;
    let sure = ctx.elicit::<Confirm>("Sure?").strict().await?;
    let Details { name, email } = ctx.elicit::<Details>("Who?").strict().await?;
    Ok(format!("{pick:?} {sure:?} {name} {email:?}"))
}

/// Registers them.
pub fn main() {
    drop(tools![book]);
}
