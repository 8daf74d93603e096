//! `ctx.sample(…)`: how a model is asked, and for what.

use std::{borrow::Cow, fmt, time::Duration};

use serde_json::{Map, Value};

use super::{
    asking::Asker,
    branch_state::Within,
    expected::SampleValue,
    messages::Messages,
    mode::{AsLoop, AsSchema, AsText, AsTools, Mode, SampleFuture, SureSchema, SureTools},
    state::{Guaranteed, OffersTools, TakesTurns, Unshaped},
    strategy::Prompt,
    tools::SampleTools,
};
use crate::{
    call::{CallState, CanAsk, Ctx},
    protocol::sampling::{ModelPreferences, SamplingTool, ToolChoice},
};

/// How long an answer may take unless the author says otherwise. A person may look at it first.
const ANSWER_WITHIN: Duration = Duration::from_secs(10 * 60);

/// What a reply may be long unless the author says otherwise, in tokens: less cuts JSON off.
const MAX_TOKENS: u32 = 2048;

/// How often what is guaranteed is asked again.
const RETRIES: u32 = 2;

/// How many turns a loop takes at most.
const TURNS: u32 = 8;

impl<S, P> Ctx<S, P> {
    /// Asks a model: the client's, or where the client cannot, the server's own (see
    /// [`Server::sampling_provider`](crate::Server::sampling_provider)). Who answers makes no difference here.
    ///
    /// `messages` is one text, or a conversation ([`Messages`]). What this returns is the ask itself: say how to ask with
    /// its methods, then await it.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// /// Summarizes a text.
    /// #[mcp_tool(read_only, requires(sampling))]
    /// async fn summarize(ctx: &Ctx, text: String) -> ToolResult<String> {
    ///     let reply = ctx.sample(format!("Summarize this:\n\n{text}")).system("Be brief.").max_tokens(200).await?;
    ///     Ok(reply.text)
    /// }
    /// ```
    ///
    /// A model gives what it likes. For a reply of a type of yours see [`Sample::schema`], for one that surely is
    /// [`sample_schema`](Self::sample_schema).
    ///
    /// # Errors
    /// See [`AskError`](crate::AskError): nobody can sample, the user refused, nobody answered in time.
    pub fn sample(&self, messages: impl Into<Messages>) -> Sample<'_, AsText>
    where
        P: CanAsk,
    {
        Sample::new(AsText::new(), self.state(), None, "sample", messages.into())
    }

    /// Asks a model until its reply is a `T` that fits the whole schema of `T`: after one that is not, the model is told
    /// what was wrong, [twice](Sample::retries) at most.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
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
    /// async fn next_move(ctx: &Ctx, board: String) -> ToolResult<Text<u8>> {
    ///     let chosen = ctx.sample_schema::<Move>(format!("Your move:\n{board}")).await?.parsed;
    ///     Ok(Text(chosen.cell))
    /// }
    /// ```
    ///
    /// Since 2026-07-28 each try through a client is a round of its own; there is none beyond
    /// [`rounds_left`](Self::rounds_left).
    ///
    /// # Errors
    /// See [`SampleError`](super::SampleError).
    pub fn sample_schema<T: SampleValue>(&self, messages: impl Into<Messages>) -> Sample<'_, SureSchema<T>>
    where
        P: CanAsk,
    {
        Sample::new(SureSchema::new(), self.state(), None, "sample", messages.into())
    }

    /// Asks a model until it calls one of the tools of `E`, with an input that fits. See
    /// [`sample_schema`](Self::sample_schema) for how.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
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
    /// async fn choose(ctx: &Ctx, board: String) -> ToolResult<String> {
    ///     Ok(match ctx.sample_tools::<Strategy>(format!("Choose a strategy:\n{board}")).await?.into_first() {
    ///         Strategy::PlayOffensive { reasoning } => reasoning,
    ///         Strategy::PlayDefensive { threat } => format!("against {threat}"),
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    /// See [`SampleError`](super::SampleError).
    pub fn sample_tools<E: SampleTools>(&self, messages: impl Into<Messages>) -> Sample<'_, SureTools<E>>
    where
        P: CanAsk,
    {
        Sample::new(SureTools::new(), self.state(), None, "sample", messages.into())
    }

    /// Lets a model call the tools of `E` until it has an answer in words: see [`Sample::run`].
    pub fn sample_loop<E: SampleTools>(&self, messages: impl Into<Messages>) -> Sample<'_, AsLoop<E>>
    where
        P: CanAsk,
    {
        Sample::new(AsLoop::new(), self.state(), None, "sample_loop", messages.into())
    }
}

/// An ask for a model, which is awaited for its reply. See [`Ctx::sample`].
#[must_use = "nobody is asked before this is awaited"]
pub struct Sample<'a, M> {
    pub(super) setup: Setup<'a>,
    pub(super) mode: M,
}

/// All that is said of an ask.
#[derive(Debug)]
pub struct Setup<'a> {
    pub(super) asker: Asker<'a>,
    pub(super) prompt: Prompt,
    pub(super) tools: Vec<SamplingTool>,
    pub(super) tool_choice: ToolChoice,
    pub(super) retries: u32,
    pub(super) turns: u32,
}

impl Setup<'_> {
    /// The same in its place: after what was said before.
    pub(super) fn open(mut self) -> Self {
        self.prompt.messages = self.asker.after(self.prompt.messages);
        self
    }
}

impl<'a, M> Sample<'a, M> {
    /// What the model is told of its part. Clients may leave it out.
    pub fn system(self, prompt: impl Into<String>) -> Self {
        self.with(|setup| setup.prompt.system_prompt = Some(prompt.into()))
    }

    /// How many tokens the reply may have; one that is cut off says so ([`StopReason::MaxTokens`](super::StopReason)).
    /// Default: 2,048.
    pub fn max_tokens(self, tokens: u32) -> Self {
        self.with(|setup| setup.prompt.max_tokens = tokens)
    }

    /// How freely the model chooses its words, 0 for not at all. Default: as whoever answers has it.
    pub fn temperature(self, temperature: f64) -> Self {
        self.with(|setup| setup.prompt.temperature = Some(temperature).filter(|given| given.is_finite()))
    }

    /// What the model stops at when it writes it.
    pub fn stop_sequences<T: Into<String>>(self, sequences: impl IntoIterator<Item = T>) -> Self {
        self.with(|setup| setup.prompt.stop_sequences = sequences.into_iter().map(Into::into).collect())
    }

    /// Which model is wanted. Whoever answers may choose another; a provider has its own.
    pub fn model(self, preferences: ModelPreferences) -> Self {
        self.with(|setup| setup.prompt.model_preferences = Some(preferences))
    }

    /// How long each reply may take: then the ask fails with [`AskError::Timeout`](crate::AskError::Timeout). Default: ten
    /// minutes, for a person may look at it first.
    pub fn timeout(self, within: Duration) -> Self {
        self.with(|setup| setup.asker.within = within)
    }

    /// The key of this question on the wire. Default: `sample`; the second ask of one key is `sample#2`, the second try
    /// of an ask `sample/2`.
    pub fn key(self, key: impl Into<Cow<'static, str>>) -> Self {
        self.with(|setup| setup.asker.rename(key.into()))
    }

    /// Asks for a `T`: by its schema where whoever answers knows schemas, else in words. The reply's
    /// [`parsed`](super::SampledSchema::parsed) is what it has of it.
    pub fn schema<T: SampleValue>(self) -> Sample<'a, AsSchema<T>>
    where
        M: Unshaped,
    {
        self.into_mode(AsSchema::new())
    }

    /// Offers the tools of `E`, one for each variant. The reply's [`calls`](super::SampledTools::calls) are what the model
    /// calls; nothing is run.
    pub fn tools<E: SampleTools>(self) -> Sample<'a, AsTools<E>>
    where
        M: Unshaped,
    {
        self.with(|setup| setup.tools = E::tools()).into_mode(AsTools::new())
    }

    /// Offers tools that are known only now.
    pub fn tools_dyn<T: Into<SamplingTool>>(
        self,
        tools: impl IntoIterator<Item = T>,
    ) -> Sample<'a, AsTools<Map<String, Value>>>
    where
        M: Unshaped,
    {
        self.with(|setup| setup.tools = tools.into_iter().map(Into::into).collect()).into_mode(AsTools::new())
    }

    /// Whether the model is to call a tool. Default: as it likes. Models do not always obey; what surely calls one is
    /// [`Ctx::sample_tools`].
    pub fn tool_choice(self, choice: ToolChoice) -> Self
    where
        M: OffersTools,
    {
        self.with(|setup| setup.tool_choice = choice)
    }

    /// How often the model is told what was wrong and asked again. Default: twice.
    pub fn retries(self, times: u32) -> Self
    where
        M: Guaranteed,
    {
        self.with(|setup| setup.retries = times)
    }

    /// How many turns the model has at most; in the last it is to answer in words. Default: eight. Since 2026-07-28 each
    /// turn through a client is a round of its own, so a provider is preferred there.
    pub fn max_turns(self, turns: u32) -> Self
    where
        M: TakesTurns,
    {
        self.with(|setup| setup.turns = turns.max(1))
    }

    pub(super) fn new(
        mode: M,
        call: &'a CallState,
        branch: Option<&'a Within<'a>>,
        name: &str,
        messages: Messages,
    ) -> Self {
        let prompt = Prompt {
            messages,
            system_prompt: None,
            max_tokens: MAX_TOKENS,
            temperature: None,
            stop_sequences: Vec::new(),
            model_preferences: None,
        };
        let asker = Asker::new(call, branch, name, ANSWER_WITHIN);
        let (tools, tool_choice) = (Vec::new(), ToolChoice::Auto);
        let setup = Setup { asker, prompt, tools, tool_choice, retries: RETRIES, turns: TURNS };
        Self { setup, mode }
    }

    fn with(mut self, change: impl FnOnce(&mut Setup<'a>)) -> Self {
        change(&mut self.setup);
        self
    }

    fn into_mode<N>(self, mode: N) -> Sample<'a, N> {
        Sample { setup: self.setup, mode }
    }
}

impl<'a, M: Mode> IntoFuture for Sample<'a, M> {
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
