//! `ctx.sample_loop(…)`: lets a model call tools until it has an answer.

use serde::de::IgnoredAny;

use super::{
    builder::Sample,
    expected::unfit,
    messages::Messages,
    mode::{AsLoop, SampleFuture},
    offer::Offer,
    reply::{ParseError, SampleError, SampleValidation},
    setup::Setup,
    strategy::ReplyKind,
};
use crate::{
    engine::tool::ToolOutput,
    wire::protocol::sampling::{Sampled, ToolChoice, ToolResult},
};

/// The loop fails after this many consecutive replies without a valid call.
const MISTAKES: u32 = 3;

/// The result of a sampling loop. See [`Sample::run`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SampledLoop {
    /// The model's last reply, which is its answer.
    pub reply: Sampled,
    /// The whole conversation, including the answer.
    pub messages: Messages,
    /// How many times the model was asked.
    pub turns: u32,
}

impl<'a, E: Send + 'static> Sample<'a, AsLoop<E>> {
    /// Lets the model call the tools of `E` until the model answers without a tool call. In the last turn the model
    /// must not call a tool. `handler` runs the calls one after the other and returns any [`ToolOutput`]. An error that
    /// `handler` returns is reported to the model.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use mcp_runtime::{Result, prelude::*};
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
    /// async fn ask(ctx: &Ctx, cities: &Cities, question: String) -> Result<String> {
    ///     let answer = ctx
    ///         .sample_loop::<Lookup>(question)
    ///         .system("You know only what the tools return.")
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
    /// Put state that `handler` changes behind a `Mutex` or another type with interior mutability. If the runtime
    /// rebuilds the call of your tool, `handler` runs again. Put effects that must not be repeated into
    /// [`ctx.step`](crate::Ctx::step).
    ///
    /// # Errors
    /// Fails with a [`SampleError`], for example after three consecutive replies without a valid call, or after a call
    /// in the last turn.
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
    asker.needs_turns = true;
    let offer = Offer::new(tools())?;
    let before = prompt.messages.clone();
    let mut mistakes = 0;
    loop {
        let is_last = asker.asked + 1 >= turns || asker.rounds_left() <= 1;
        let choice = if is_last { ToolChoice::None } else { ToolChoice::Auto };
        let reply = asker.ask(&prompt, ReplyKind::Calls(&offer, choice)).await?;
        let reply = if is_last { reply } else { offer.with_written_calls(reply) };
        let calls = if is_last { Vec::new() } else { offer.calls(&reply, prompt.max_tokens, read) };
        if is_last && !is_answer(&reply, &offer) {
            let problem = "the model called a tool in its last turn instead of answering".to_owned();
            let last = unfit(&reply, prompt.max_tokens, problem);
            return Err(SampleValidation { method: "sample_loop", attempts: asker.asked, last }.into());
        }
        if calls.is_empty() {
            asker.remember(before, &reply);
            let messages = Messages(prompt.messages).reply(&reply);
            return Ok(SampledLoop { reply, messages, turns: asker.asked });
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
                    let failed = call.tool_use.error(problem.message.clone());
                    wrong.get_or_insert((0, problem)).0 += 1;
                    failed
                }
            });
        }
        mistakes = count(mistakes, all, wrong, asker.asked)?;
        let messages = Messages(prompt.messages).answered(&reply, results);
        prompt.messages = messages.map_err(|error| crate::AskError::Invalid(error.to_string()))?.0;
    }
}

/// Returns whether the reply contains an answer, and not only tool calls. Some models call tools even in the last turn.
fn is_answer(reply: &Sampled, offer: &Offer) -> bool {
    let text = reply.text.trim();
    if text.is_empty() || serde_json::from_str::<IgnoredAny>(text).is_ok() {
        return offer.with_written_calls(reply.clone()).tool_uses().next().is_none();
    }
    true
}

/// Returns the number of consecutive replies that have no valid call.
///
/// # Errors
/// Fails if there are [`MISTAKES`] such replies.
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
