//! The tools of the model test: each asks the user for a seat, and then to confirm the seat.

use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use super::ledger::GatedLedger;
use crate::{AskError, Result, Server, engine::tool::state::States, prelude::*};

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

/// The effects of all processes.
#[derive(Debug, Default)]
pub(super) struct Effects {
    /// How often `before` began.
    pub(super) before: usize,
    /// The arguments of each `after` that began.
    pub(super) begun: Vec<String>,
    /// How often the step began.
    pub(super) charged: usize,
    /// How often a tool was about to call the one that charges.
    #[cfg(feature = "remote")]
    attempts: u64,
}

/// The process that a tool runs in: its points, and the effects of all processes.
#[derive(Clone)]
pub(super) struct Process {
    pub(super) ledger: GatedLedger,
    pub(super) effects: Arc<Mutex<Effects>>,
}

#[cfg(feature = "remote")]
impl Process {
    /// Returns a number that no other attempt to charge has.
    pub(super) fn next_attempt(&self) -> u64 {
        let mut effects = self.effects.lock().unwrap();
        effects.attempts += 1;
        effects.attempts
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ToolKind {
    /// A handoff: any process can rebuild the call.
    Book,
    /// Replayable, without phases.
    Plan,
    /// Replayable, with a step between its questions.
    Pay,
    /// Replayable, and calls two tools: the handoff, and then one that does not ask.
    Travel,
    /// Like `Travel`, with the tools of another server.
    #[cfg(feature = "remote")]
    Abroad { minds_keys: bool },
    /// Not replayable: only the process that holds the future can resume the call.
    Wander,
}

impl ToolKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Book => "book",
            Self::Plan => "plan",
            Self::Pay => "pay",
            Self::Travel => "travel",
            #[cfg(feature = "remote")]
            Self::Abroad { .. } => "abroad",
            Self::Wander => "wander",
        }
    }

    /// Whether the result is that of a handoff's `after`.
    pub(super) fn has_after(self) -> bool {
        match self {
            Self::Book | Self::Travel => true,
            #[cfg(feature = "remote")]
            Self::Abroad { .. } => true,
            Self::Plan | Self::Pay | Self::Wander => false,
        }
    }

    /// Whether the call charges for the seat.
    pub(super) fn charges(self) -> bool {
        match self {
            Self::Pay | Self::Travel => true,
            #[cfg(feature = "remote")]
            Self::Abroad { .. } => true,
            Self::Book | Self::Plan | Self::Wander => false,
        }
    }

    /// Whether a step that was interrupted is not run again.
    pub(super) fn has_unknown_steps(self) -> bool {
        match self {
            Self::Pay | Self::Travel => true,
            #[cfg(feature = "remote")]
            Self::Abroad { minds_keys } => !minds_keys,
            Self::Book | Self::Plan | Self::Wander => false,
        }
    }

    /// How often a world yields until nothing can run without an event.
    pub(super) fn turns(self) -> usize {
        match self {
            #[cfg(feature = "remote")]
            Self::Abroad { .. } => 16,
            // The first yield runs ready tasks; the second fires timers and runs the tasks they wake.
            _ => 2,
        }
    }

    pub(super) fn register(self, server: Server, process: &Process) -> Server {
        let server = server.state(process.clone());
        match self {
            Self::Book => server.tool(Book(process.clone())),
            Self::Plan => server.tools(tools![plan]),
            Self::Pay => server.tools(tools![pay]),
            Self::Travel => server.tool(Book(process.clone())).tools(tools![charge, travel]),
            #[cfg(feature = "remote")]
            Self::Abroad { .. } => server,
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
        let mut effects = self.0.effects.lock().unwrap();
        effects.before += 1;
        Offer { number: effects.before }
    }

    async fn client(ctx: &Ctx<Trip>, _offer: &Offer) -> Result<String> {
        Ok(talk(ctx).await?)
    }

    async fn after(&self, offer: Offer, wish: String) -> String {
        self.0.effects.lock().unwrap().begun.push(wish.clone());
        self.0.ledger.pass().await;
        self.0.ledger.pass().await;
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
        process.effects.lock().unwrap().charged += 1;
        process.ledger.pass().await;
        process.ledger.pass().await;
        seat.clone()
    };
    let charged = ctx.step("charge", charge).await?;
    pass(ctx).await;
    Ok(format!("{seat} {} {charged}", is_sure(ctx, &seat).await?))
}

/// Books a seat and pays for it, with other tools.
#[mcp_tool(replayable)]
async fn travel(ctx: &Ctx<Trip>) -> Result<String> {
    let booked = ctx.call_tool(Book::with()).await?;
    Ok(format!("{booked}, {}", ctx.call_tool(charge::with(booked.len() as u64, 0)).await?))
}

/// Charges for a seat. Calls with the same `attempt` are the same call for a server that minds idempotency keys.
#[mcp_tool]
async fn charge(process: &Process, price: u64, #[expect(unused_variables)] attempt: u64) -> Text<u64> {
    process.effects.lock().unwrap().charged += 1;
    process.ledger.pass().await;
    process.ledger.pass().await;
    Text(price)
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

/// Waits at a point of the process that runs the call.
async fn pass(ctx: &Ctx<Trip>) {
    if let Some(process) = ctx.state().server.get::<States>().and_then(States::get::<Process>) {
        process.ledger.pass().await;
    }
}
