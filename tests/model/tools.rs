//! Tools that sample, on a server that has its own model.

use mcp_runtime::{Result, Server, Service, prelude::*, providers::Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A move.
#[derive(Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
pub(crate) struct Move {
    /// The number of a cell.
    #[schemars(range(min = 0, max = 8))]
    pub(crate) cell: u8,
    /// Whether it wins.
    #[serde(default)]
    pub(crate) wins: bool,
}

/// What to do.
#[derive(Debug, SampleTools, Serialize)]
pub(crate) enum Strategy {
    /// Attack the enemy.
    Attack {
        /// Why, in a few words.
        reason: String,
    },
    /// Defend.
    Defend {
        /// How strongly, from 1 to 5.
        #[schemars(range(min = 1, max = 5))]
        strength: u8,
    },
}

/// The outcome, and how often the model was asked.
#[derive(Deserialize, JsonSchema, Serialize)]
pub(crate) struct Outcome {
    pub(crate) attempts: u32,
    pub(crate) value: String,
}

/// Greets a person.
#[mcp_tool(requires(sampling))]
async fn greet(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample("Say hello in one short sentence.").temperature(0.0).max_tokens(24).await?.text)
}

/// More tokens than a constrained reply takes: a reply that is cut is invalid, and would be requested again.
const ENOUGH: u32 = 160;

/// Picks a cell.
#[mcp_tool(requires(sampling))]
async fn pick(ctx: &Ctx) -> Result<Json<Outcome>> {
    let prompt = "You play tic-tac-toe on cells 0 to 8. The board is empty. Pick a cell.";
    let chosen = ctx.sample_schema::<Move>(prompt).temperature(0.0).max_tokens(ENOUGH).await?;
    Ok(Json(Outcome { attempts: chosen.attempts, value: serde_json::to_string(&chosen.parsed)? }))
}

/// Chooses what to do.
#[mcp_tool(requires(sampling))]
async fn choose(ctx: &Ctx) -> Result<Json<Outcome>> {
    let chosen = ctx.sample_tools::<Strategy>("The enemy comes. Attack!").temperature(0.0).max_tokens(ENOUGH).await?;
    let attempts = chosen.attempts;
    Ok(Json(Outcome { attempts, value: serde_json::to_string(&chosen.into_first())? }))
}

pub(crate) fn service(model: Model) -> Service {
    let server = Server::new("model", "1.0.0").tools(tools![greet, pick, choose]);
    server.sampling_provider(model).build().expect("nothing is wrong with it")
}
