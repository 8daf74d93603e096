//! `ctx.sample(…)`: requests to a model and their options.

use std::{borrow::Cow, fmt, time::Duration};

use serde_json::{Map, Value};

use super::{
    branch_state::BranchState,
    expected::SampleValue,
    messages::Messages,
    mode::{
        AsLoop, AsSchema, AsText, AsTools, AskMode, Guaranteed, GuaranteedSchemaFuture, GuaranteedToolsFuture,
        OffersTools, SampleFuture, TakesTurns, Unshaped,
    },
    setup::Setup,
    tools::SampleTools,
};
use crate::{
    engine::call::{Call, CanAsk, Ctx},
    wire::protocol::sampling::{ModelPreferences, SamplingTool, ToolChoice},
};

impl<S, P> Ctx<S, P> {
    /// Asks the model of the client. If the client cannot sample, asks the model of the server (see
    /// [`Server::sampling_provider`](crate::Server::sampling_provider)). The code of the tool is the same for both.
    ///
    /// `messages` is a text or a conversation ([`Messages`]). Configure the returned request with its methods, then
    /// await it.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// /// Summarizes a text.
    /// #[mcp_tool(read_only, requires(sampling))]
    /// async fn summarize(ctx: &Ctx, text: String) -> Result<String> {
    ///     let reply = ctx.sample(format!("Summarize this:\n\n{text}")).system("Be brief.").max_tokens(200).await?;
    ///     Ok(reply.text)
    /// }
    /// ```
    ///
    /// The reply can be anything. To read it as a type, see [`Sample::schema`]; to require a valid value, see
    /// [`sample_schema`](Self::sample_schema).
    ///
    /// # Errors
    /// Fails with an [`AskError`](crate::AskError), for example if there is no model, the user refused, or the answer
    /// took too long.
    pub fn sample(&self, messages: impl Into<Messages>) -> Sample<'_, AsText>
    where
        P: CanAsk,
    {
        Sample::new(AsText::new(), self.call_in_progress(), None, "sample", messages.into())
    }

    /// Asks a model until its reply is a `T` that matches the whole schema of `T`. After an invalid reply the model
    /// gets the error and is asked again, [twice](Sample::retries) at most.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Move {
    ///     /// The number of a free cell.
    ///     #[schemars(range(min = 1, max = 9))]
    ///     cell: u8,
    /// }
    ///
    /// /// Asks the model for its move.
    /// #[mcp_tool(requires(sampling))]
    /// async fn next_move(ctx: &Ctx, board: String) -> Result<Text<u8>> {
    ///     let chosen = ctx.sample_schema::<Move>(format!("Your move:\n{board}")).await?.parsed;
    ///     Ok(Text(chosen.cell))
    /// }
    /// ```
    ///
    /// Since 2026-07-28 each attempt through a client takes one round. If no round is left
    /// ([`rounds_left`](Self::rounds_left)), there is no retry.
    ///
    /// # Errors
    /// See [`SampleError`](super::SampleError).
    pub fn sample_schema<T: SampleValue>(&self, messages: impl Into<Messages>) -> Sample<'_, GuaranteedSchemaFuture<T>>
    where
        P: CanAsk,
    {
        Sample::new(GuaranteedSchemaFuture::new(), self.call_in_progress(), None, "sample", messages.into())
    }

    /// Asks a model until it calls one of the tools of `E` with a valid input. It retries like
    /// [`sample_schema`](Self::sample_schema).
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// #[derive(SampleTools)]
    /// enum Strategy {
    ///     /// Attack.
    ///     PlayOffensive { reasoning: String },
    ///     /// Block what the other is about to do.
    ///     PlayDefensive { threat: String },
    /// }
    ///
    /// /// Lets the model choose how to play.
    /// #[mcp_tool(requires(sampling))]
    /// async fn choose(ctx: &Ctx, board: String) -> Result<String> {
    ///     Ok(match ctx.sample_tools::<Strategy>(format!("Choose a strategy:\n{board}")).await?.into_first() {
    ///         Strategy::PlayOffensive { reasoning } => reasoning,
    ///         Strategy::PlayDefensive { threat } => format!("against {threat}"),
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    /// See [`SampleError`](super::SampleError).
    pub fn sample_tools<E: SampleTools>(&self, messages: impl Into<Messages>) -> Sample<'_, GuaranteedToolsFuture<E>>
    where
        P: CanAsk,
    {
        Sample::new(GuaranteedToolsFuture::new(), self.call_in_progress(), None, "sample", messages.into())
    }

    /// Lets a model call the tools of `E` until the model answers without a tool call: see [`Sample::run`].
    pub fn sample_loop<E: SampleTools>(&self, messages: impl Into<Messages>) -> Sample<'_, AsLoop<E>>
    where
        P: CanAsk,
    {
        Sample::new(AsLoop::new(), self.call_in_progress(), None, "sample_loop", messages.into())
    }
}

/// A request to a model; await it for the reply. See [`Ctx::sample`].
#[must_use = "the model is asked only when this is awaited"]
pub struct Sample<'a, M> {
    pub(super) setup: Setup<'a>,
    pub(super) mode: M,
}

impl<'a, M> Sample<'a, M> {
    /// Sets the system prompt. Clients can ignore it.
    pub fn system(self, prompt: impl Into<String>) -> Self {
        self.with(|setup| setup.prompt.system_prompt = Some(prompt.into()))
    }

    /// Sets the maximum number of tokens in the reply. A reply that was cut off has
    /// [`StopReason::MaxTokens`](super::StopReason). Default: 2,048.
    pub fn max_tokens(self, tokens: u32) -> Self {
        self.with(|setup| setup.prompt.max_tokens = tokens)
    }

    /// Sets the sampling temperature: 0 for the most deterministic reply. By default the client or provider chooses it.
    pub fn temperature(self, temperature: f64) -> Self {
        self.with(|setup| setup.prompt.temperature = Some(temperature).filter(|given| given.is_finite()))
    }

    /// Sets the stop sequences: the model stops when it writes one of these strings.
    pub fn stop_sequences<T: Into<String>>(self, sequences: impl IntoIterator<Item = T>) -> Self {
        self.with(|setup| setup.prompt.stop_sequences = sequences.into_iter().map(Into::into).collect())
    }

    /// Sets the preferred model. The client can choose another model. Ready-made providers ignore this.
    pub fn model(self, preferences: ModelPreferences) -> Self {
        self.with(|setup| setup.prompt.model_preferences = Some(preferences))
    }

    /// Sets the time limit of a reply. After this time, the request fails with
    /// [`AskError::Timeout`](crate::AskError::Timeout). Default: ten minutes, because the user may review the request.
    pub fn timeout(self, within: Duration) -> Self {
        self.with(|setup| setup.asker.within = within)
    }

    /// Sets the key of this request on the wire. Default: `sample`. The second request with the same key is
    /// `sample#2`; the second attempt of a request is `sample/2`.
    pub fn key(self, key: impl Into<Cow<'static, str>>) -> Self {
        self.with(|setup| setup.asker.rename(key.into()))
    }

    /// Asks for a `T`. If the model supports schemas, the request has the schema of `T`. Otherwise the prompt contains
    /// the schema. The value is in the field [`parsed`](super::SampledSchema::parsed) of the reply.
    pub fn schema<T: SampleValue>(self) -> Sample<'a, AsSchema<T>>
    where
        M: Unshaped,
    {
        self.into_mode(AsSchema::new())
    }

    /// Offers the tools of `E`, one for each variant. The model's calls are in the field
    /// [`calls`](super::SampledTools::calls) of the reply; the runtime does not run them.
    pub fn tools<E: SampleTools>(self) -> Sample<'a, AsTools<E>>
    where
        M: Unshaped,
    {
        self.with(|setup| setup.prompt.tools = E::tools()).into_mode(AsTools::new())
    }

    /// Offers tools that are known only at run time.
    pub fn tools_dyn<T: Into<SamplingTool>>(
        self,
        tools: impl IntoIterator<Item = T>,
    ) -> Sample<'a, AsTools<Map<String, Value>>>
    where
        M: Unshaped,
    {
        self.with(|setup| setup.prompt.tools = tools.into_iter().map(Into::into).collect()).into_mode(AsTools::new())
    }

    /// Sets whether the model calls a tool. Default: the model decides. Models do not always obey; to require a call,
    /// use [`Ctx::sample_tools`].
    pub fn tool_choice(self, choice: ToolChoice) -> Self
    where
        M: OffersTools,
    {
        self.with(|setup| setup.prompt.tool_choice = Some(choice))
    }

    /// Sets how many times the model is asked again after an invalid reply. Default: twice.
    pub fn retries(self, times: u32) -> Self
    where
        M: Guaranteed,
    {
        self.with(|setup| setup.retries = times)
    }

    /// Sets the maximum number of turns; in the last turn the model must answer without a tool call. Default: eight.
    ///
    /// Since 2026-07-28 each turn through a client takes one round, and rounds are limited. Therefore a loop asks the
    /// server's provider, if there is one.
    pub fn max_turns(self, turns: u32) -> Self
    where
        M: TakesTurns,
    {
        self.with(|setup| setup.turns = turns.max(1))
    }

    pub(super) fn new(
        mode: M,
        call: &'a Call,
        branch: Option<&'a BranchState<'a>>,
        name: &'static str,
        messages: Messages,
    ) -> Self {
        Self { setup: Setup::new(call, branch, name, messages), mode }
    }

    fn with(mut self, change: impl FnOnce(&mut Setup<'a>)) -> Self {
        change(&mut self.setup);
        self
    }

    fn into_mode<N>(self, mode: N) -> Sample<'a, N> {
        Sample { setup: self.setup, mode }
    }
}

impl<'a, M: AskMode> IntoFuture for Sample<'a, M> {
    type Output = M::Output;
    type IntoFuture = SampleFuture<'a, M::Output>;

    fn into_future(self) -> Self::IntoFuture {
        self.mode.run(self.setup)
    }
}

impl<M> fmt::Debug for Sample<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sample").field("prompt", &self.setup.prompt).finish_non_exhaustive()
    }
}
