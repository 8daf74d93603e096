//! Tools that ask a model. External clients call them.

use mcp_runtime::{
    Content, Result, SampleTools,
    prelude::*,
    sample::{Messages, ModelPreferences},
};

/// Asks about a picture, with everything that can be said of an ask.
#[mcp_tool(read_only, requires(sampling))]
pub(crate) async fn look(ctx: &Ctx) -> Result<String> {
    let conversation = Messages::new()
        .user([Content::text("What is this?"), Content::image(b"\x89PNG", "image/png")])
        .assistant("A dog.")
        .user("Look again.");
    let reply = ctx
        .sample(conversation)
        .system("You are brief.")
        .max_tokens(50)
        .temperature(0.5)
        .stop_sequences(["END"])
        .model(ModelPreferences::new().hint("mini").cost(0.25).speed(1.0).intelligence(0.0))
        .await?;
    let stopped = reply.stop_reason.map(|reason| reason.to_string()).unwrap_or_default();
    Ok(format!("{}: {} ({stopped})", reply.model, reply.text))
}

/// What can be looked up.
#[derive(Debug, SampleTools)]
pub(crate) enum Lookup {
    /// Finds the population of a city.
    Population {
        /// Its name in English.
        city: String,
    },
    /// Finds the capital of a country.
    Capital {
        /// Its code of two letters.
        #[schemars(length(min = 2, max = 2))]
        country: String,
    },
}

/// Has a model choose what to look up, until it has chosen well.
#[mcp_tool(read_only, requires(sampling))]
pub(crate) async fn choose(ctx: &Ctx) -> Result<String> {
    let chosen = ctx.sample_tools::<Lookup>("What would you look up?").await?;
    let attempts = chosen.attempts;
    Ok(format!("{:?} in {attempts} tries", chosen.into_first()))
}

/// Has a model look things up until it can answer.
#[mcp_tool(read_only, requires(sampling))]
pub(crate) async fn find_out(ctx: &Ctx) -> Result<String> {
    let found = ctx.sample_loop("How many people live in the capital of Portugal?").max_turns(3);
    let found = found
        .run(async |lookup| match lookup {
            Lookup::Population { city } if city == "Lisbon" => Ok("545,000"),
            Lookup::Capital { country } if country == "PT" => Ok("Lisbon"),
            _ => Err("nothing is known of that"),
        })
        .await?;
    Ok(format!("{} ({} turns)", found.reply.text, found.turns))
}
