//! `ctx.sample_loop(…)`: a model that calls tools until it has an answer.

use serde::de::IgnoredAny;

use super::{
    builder::{Sample, Setup},
    error::{SampleError, SampleValidation},
    expected::unfit,
    messages::Messages,
    mode::{AsLoop, SampleFuture},
    offer::Offer,
    reply::ParseError,
    strategy::Wants,
};
use crate::{
    protocol::sampling::{Sampled, ToolChoice, ToolResult},
    tool::ToolOutput,
};

/// So many replies in a row with no call that fits, and the model does not know how to call.
const MISTAKES: u32 = 3;

/// What a loop came to. See [`Sample::run`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampledLoop {
    /// The last reply: the answer.
    pub reply: Sampled,
    /// All that was said, the answer included.
    pub messages: Messages,
    /// How often the model was asked.
    pub turns: u32,
}

impl<'a, E: Send + 'static> Sample<'a, AsLoop<E>> {
    /// Lets the model call the tools of `E` until it answers in words, or its turns are over: in the last it may call
    /// none. `handler` does what a call says, one after the other, and gives what a tool may return; an error of it is
    /// told to the model.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use mcp_runtime::prelude::*;
    ///
    /// struct Cities {
    ///     populations: HashMap<String, u64>,
    ///     countries: HashMap<String, String>,
    /// }
    ///
    /// #[derive(SampleTools)]
    /// enum Lookup {
    ///     /// Finds the population of a city.
    ///     Population { city: String },
    ///     /// Finds the country of a city.
    ///     Country { city: String },
    /// }
    ///
    /// /// Answers questions about cities.
    /// #[mcp_tool(read_only, requires(sampling))]
    /// async fn ask(ctx: &Ctx, cities: &Cities, question: String) -> ToolResult<String> {
    ///     let answer = ctx
    ///         .sample_loop::<Lookup>(question)
    ///         .system("You know nothing but what the tools say.")
    ///         .max_turns(5)
    ///         .run(async |lookup| match lookup {
    ///             Lookup::Population { city } => cities.populations.get(&city).map(u64::to_string).ok_or("unknown city"),
    ///             Lookup::Country { city } => cities.countries.get(&city).cloned().ok_or("unknown city"),
    ///         })
    ///         .await?;
    ///     Ok(answer.reply.text)
    /// }
    /// ```
    ///
    /// What handlers change stands behind a `Mutex`, or whatever else is changed through `&`. A call that is rebuilt runs
    /// them again, as it does all of its code: what must happen once stands in [`ctx.step`](crate::Ctx::step).
    ///
    /// # Errors
    /// See [`SampleError`]: among them three replies in a row with no call that fits, and a call in the last turn.
    pub fn run<F, R>(
        self,
        handler: impl FnMut(E) -> F + Send + 'a,
    ) -> SampleFuture<'a, Result<SampledLoop, SampleError>>
    where
        F: Future<Output = R> + Send + 'a,
        R: ToolOutput + 'a,
    {
        Box::pin(turns(self.setup, self.mode, handler))
    }
}

async fn turns<E, F, R>(
    setup: Setup<'_>,
    AsLoop { tools, read }: AsLoop<E>,
    mut handler: impl FnMut(E) -> F,
) -> Result<SampledLoop, SampleError>
where
    F: Future<Output = R>,
    R: ToolOutput,
{
    let Setup { mut asker, mut prompt, turns, .. } = setup.open();
    asker.takes_turns = true;
    let offer = Offer::new(tools())?;
    let before = prompt.messages.clone();
    let mut mistakes = 0;
    loop {
        let is_last = asker.asked() + 1 >= turns || asker.rounds_left() <= 1;
        let choice = if is_last { ToolChoice::None } else { ToolChoice::Auto };
        let reply = asker.ask(&prompt, Wants::Calls(&offer, choice)).await?;
        let reply = if is_last { reply } else { offer.with_written_calls(reply) };
        let calls = if is_last { Vec::new() } else { offer.calls(&reply, prompt.max_tokens, read) };
        if is_last && !is_answer(&reply, &offer) {
            let last =
                unfit(&reply, prompt.max_tokens, "it calls a tool in its last turn, and does not answer".to_owned());
            return Err(SampleValidation { method: "sample_loop", attempts: asker.asked(), last }.into());
        }
        if calls.is_empty() {
            asker.remember(before, &reply);
            let messages = prompt.messages.reply(&reply);
            return Ok(SampledLoop { reply, messages, turns: asker.asked() });
        }
        let mut results = Vec::<ToolResult>::with_capacity(calls.len());
        let mut wrong = None;
        let all = calls.len();
        for call in calls {
            results.push(match call.parsed {
                Ok(tool) => {
                    let output = handler(tool).await;
                    call.tool_use.result(output)
                }
                Err(problem) => {
                    let told = call.tool_use.error(problem.message.clone());
                    wrong.get_or_insert((0, problem)).0 += 1;
                    told
                }
            });
        }
        mistakes = count(mistakes, all, wrong, asker.asked())?;
        let messages = prompt.messages.clone().answered(&reply, results);
        prompt.messages = messages.map_err(|error| crate::AskError::Invalid(error.to_string()))?;
    }
}

/// Whether it is more than a call, which some models go on with though they may not.
fn is_answer(reply: &Sampled, offer: &Offer) -> bool {
    let text = reply.text.trim();
    if text.is_empty() || serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return offer.with_written_calls(reply.clone()).tool_uses().next().is_none();
    }
    true
}

/// How many replies in a row had no call that fits.
///
/// # Errors
/// Too many.
fn count(
    mistakes: u32,
    calls: usize,
    wrong: Option<(usize, ParseError)>,
    attempts: u32,
) -> Result<u32, SampleValidation> {
    match wrong {
        Some((wrong, last)) if wrong == calls => {
            if mistakes + 1 >= MISTAKES {
                return Err(SampleValidation { method: "sample_loop", attempts, last });
            }
            Ok(mistakes + 1)
        }
        _ => Ok(0),
    }
}
