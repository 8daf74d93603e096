//! `ctx.branch(…)`: a conversation with a model that is separate from the main conversation of the call.

use std::fmt;

use serde::Serialize;

use super::{
    branch_state::{BranchLimits, BranchState},
    builder::Sample,
    expected::SampleValue,
    messages::Messages,
    mode::{AsLoop, AsText, GuaranteedSchemaFuture, GuaranteedToolsFuture},
    tools::SampleTools,
};
use crate::{
    engine::{
        call::{Call, CanAsk, Ctx, Progress},
        elicit::Elicit,
    },
    wire::protocol::level::Level,
};

impl<S, P> Ctx<S, P> {
    /// Runs a separate conversation with a model: a sub-agent with its own history and limits.
    ///
    /// Each request in the branch continues the branch's conversation, which the rest of the call does not see. A
    /// branch can ask models, but not the user. The keys of the branch's requests start with the name of the branch, as
    /// in `branch/sample`, and the answers are recorded in the call's journal.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Verdict {
    ///     /// From 0 to 10.
    ///     risk: u8,
    /// }
    ///
    /// /// Judges a plan.
    /// #[mcp_tool(requires(sampling))]
    /// async fn judge(ctx: &Ctx, plan: String) -> Result<Text<u8>> {
    ///     let verdict = ctx
    ///         .branch(async |b| {
    ///             b.sample(format!("What may go wrong with this plan? {plan}")).await?;
    ///             b.sample_schema::<Verdict>("How great is the risk?").await
    ///         })
    ///         .await?;
    ///     Ok(Text(verdict.parsed.risk))
    /// }
    /// ```
    pub fn branch<R>(&self, branch: impl AsyncFnOnce(&Branch<'_>) -> R) -> impl Future<Output = R>
    where
        P: CanAsk,
    {
        self.branch_within(BranchLimits::default(), branch)
    }

    /// Like [`branch`](Self::branch), with other limits. A request that exceeds a limit fails with
    /// [`AskError::Limit`](crate::AskError::Limit).
    pub fn branch_within<R>(
        &self,
        limits: BranchLimits,
        branch: impl AsyncFnOnce(&Branch<'_>) -> R,
    ) -> impl Future<Output = R>
    where
        P: CanAsk,
    {
        // The name is reserved here and not at the first poll, because `select!` polls in random order.
        let call = self.call_in_progress();
        let within = BranchState::new(&call.0, call.key("branch"), limits, None);
        let here = Branch { call, within };
        async move { branch(&here).await }
    }
}

/// A conversation with a model, separate from the main conversation of the call. See [`Ctx::branch`].
pub struct Branch<'a> {
    call: &'a Call,
    within: BranchState<'a>,
}

impl Branch<'_> {
    /// Asks a model to continue the conversation of this branch. See [`Ctx::sample`].
    pub fn sample(&self, messages: impl Into<Messages>) -> Sample<'_, AsText> {
        Sample::new(AsText::new(), self.call, Some(&self.within), "sample", messages.into())
    }

    /// Asks a model until its reply is a `T`. See [`Ctx::sample_schema`].
    pub fn sample_schema<T: SampleValue>(
        &self,
        messages: impl Into<Messages>,
    ) -> Sample<'_, GuaranteedSchemaFuture<T>> {
        Sample::new(GuaranteedSchemaFuture::new(), self.call, Some(&self.within), "sample", messages.into())
    }

    /// Asks a model until it calls one of the tools of `E`. See [`Ctx::sample_tools`].
    pub fn sample_tools<E: SampleTools>(&self, messages: impl Into<Messages>) -> Sample<'_, GuaranteedToolsFuture<E>> {
        Sample::new(GuaranteedToolsFuture::new(), self.call, Some(&self.within), "sample", messages.into())
    }

    /// Lets a model call the tools of `E` until it has an answer. See [`Ctx::sample_loop`].
    pub fn sample_loop<E: SampleTools>(&self, messages: impl Into<Messages>) -> Sample<'_, AsLoop<E>> {
        Sample::new(AsLoop::new(), self.call, Some(&self.within), "sample_loop", messages.into())
    }

    /// Runs a branch inside this branch. The usage of the inner branch also counts against the limits of this branch.
    pub fn branch<R>(&self, branch: impl AsyncFnOnce(&Branch<'_>) -> R) -> impl Future<Output = R> {
        self.branch_within(BranchLimits::default(), branch)
    }

    /// Like [`branch`](Self::branch), with other limits.
    pub fn branch_within<R>(
        &self,
        limits: BranchLimits,
        branch: impl AsyncFnOnce(&Branch<'_>) -> R,
    ) -> impl Future<Output = R> {
        let within = BranchState::new(&self.call.0, self.within.key_of("branch").into(), limits, Some(&self.within));
        let here = Branch { call: self.call, within };
        async move { branch(&here).await }
    }

    /// Sends a log message to the client. See [`Ctx::log`].
    pub fn log(&self, level: Level, data: impl Serialize) {
        self.call.0.log(level, self.call.target().name(), &data);
    }

    /// Reports the progress of the call. See [`Ctx::progress`].
    pub fn progress(&self, value: f64) -> Progress<'_> {
        Progress::new(self.call, value)
    }

    /// Returns the conversation of this branch so far.
    pub fn messages(&self) -> Messages {
        self.within.messages()
    }

    /// Prevents questions to the user: a call of this method does not compile, because a branch can ask models, but not
    /// the user.
    #[doc(hidden)]
    pub fn elicit<F>(&self, _message: impl Into<String>) -> Elicit<'_, F>
    where
        Self: ElicitsInBranch<F>,
    {
        unreachable!("no form belongs to a branch")
    }
}

/// A trait that no type implements, so that asking the user in a branch does not compile.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a branch cannot ask the user",
    label = "asked within `ctx.branch(…)`",
    note = "a branch can ask only models; ask the user before or after the branch, with `ctx.elicit::<{F}>(…)`"
)]
pub trait ElicitsInBranch<F> {}

impl fmt::Debug for Branch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Branch").field(&self.within).finish()
    }
}
