//! The tools whose calls are followed: each asks for a seat, then whether that is right.

use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use super::way::Way;
use crate::{AskError, Result, Server, prelude::*, tool::state::States};

#[elicits]
pub(super) enum Trip {
    Seat {
        #[elicit(min_length = 2)]
        seat: String,
    },
    Sure {
        sure: bool,
    },
}

/// What was done, seen from above.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    pub(super) before: usize,
    /// With what `after` began, each time.
    pub(super) begun: Vec<String>,
    /// How often the step began.
    pub(super) charged: usize,
}

/// One process: where its tools wait, and who watches them.
#[derive(Clone)]
pub(super) struct Process {
    pub(super) way: Way,
    pub(super) deeds: Arc<Mutex<Deeds>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Any process can rebuild it.
    Book,
    /// So it can this, which has no phases.
    Plan,
    /// And this, which has a step between its questions.
    Pay,
    /// Only the process that has its future can go on.
    Wander,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Book => "book",
            Self::Plan => "plan",
            Self::Pay => "pay",
            Self::Wander => "wander",
        }
    }

    pub(super) fn register(self, server: Server, process: &Process) -> Server {
        let server = server.state(process.clone());
        match self {
            Self::Book => server.tool(Book(process.clone())),
            Self::Plan => server.tools(tools![plan]),
            Self::Pay => server.tools(tools![pay]),
            Self::Wander => server.tools(tools![wander]),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Offer {
    number: usize,
}

struct Book(Process);

/// Books a seat.
#[handoff]
impl Book {
    async fn before(&self) -> Offer {
        let mut deeds = self.0.deeds.lock().unwrap();
        deeds.before += 1;
        Offer { number: deeds.before }
    }

    async fn client(ctx: &Ctx<Trip>, _offer: &Offer) -> Result<String> {
        Ok(talk(ctx).await?)
    }

    async fn after(&self, offer: Offer, wish: String) -> String {
        self.0.deeds.lock().unwrap().begun.push(wish.clone());
        self.0.way.pass().await;
        self.0.way.pass().await;
        format!("{wish} of offer {}", offer.number)
    }
}

/// Plans a trip.
#[mcp_tool(replayable)]
async fn plan(ctx: &Ctx<Trip>) -> Result<String> {
    Ok(talk(ctx).await?)
}

/// Pays for a seat.
#[mcp_tool(replayable)]
async fn pay(process: &Process, ctx: &Ctx<Trip>) -> Result<String> {
    let seat = take_seat(ctx).await?;
    let charge = async {
        process.deeds.lock().unwrap().charged += 1;
        process.way.pass().await;
        process.way.pass().await;
        seat.clone()
    };
    let charged = ctx.step("charge", charge).await?;
    pass(ctx).await;
    Ok(format!("{seat} {} {charged}", is_sure(ctx, &seat).await?))
}

/// Plans a trip.
#[mcp_tool]
async fn wander(ctx: &Ctx<Trip>) -> Result<String> {
    Ok(talk(ctx).await?)
}

async fn talk(ctx: &Ctx<Trip>) -> Result<String, AskError> {
    let seat = take_seat(ctx).await?;
    Ok(format!("{seat} {}", is_sure(ctx, &seat).await?))
}

async fn take_seat(ctx: &Ctx<Trip>) -> Result<String, AskError> {
    let Seat { seat } = ctx.elicit::<Seat>("Which seat?").strict().await?;
    pass(ctx).await;
    Ok(seat)
}

async fn is_sure(ctx: &Ctx<Trip>, seat: &str) -> Result<bool, AskError> {
    let Sure { sure } = ctx.elicit::<Sure>(format!("Seat {seat}?")).strict().await?;
    pass(ctx).await;
    Ok(sure)
}

/// Comes to a point of whichever process this runs in.
async fn pass(ctx: &Ctx<Trip>) {
    if let Some(process) = ctx.state().server.get::<States>().and_then(States::get::<Process>) {
        process.way.pass().await;
    }
}
