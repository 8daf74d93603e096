//! `ctx.step(…)`: what a call does once, however often it is rebuilt.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::to_raw_value;

use super::{
    CanAsk, Ctx,
    ledger::{ClaimError, LedgerError},
    stepping::Stepping,
};
use crate::{
    error::{Result, ToolError},
    tool::IntoToolError,
};

impl<S, P> Ctx<S, P> {
    /// Does something once in this call: its outcome is recorded, and a call that is rebuilt goes on with it.
    ///
    /// The tool must be `replayable`, or its call ends with its process and there is nothing to go on with. The name
    /// tells the steps of a call apart; one that comes again is numbered. No step begins while the user is being asked,
    /// and what the step awaits must not ask.
    ///
    /// ```
    /// use mcp_runtime::{Result, prelude::*};
    ///
    /// # struct Shop;
    /// # impl Shop {
    /// #     async fn reserve(&self, _item: &str) -> u32 { 7 }
    /// #     async fn pay(&self, _reservation: u32, _key: &str) -> std::io::Result<String> { Ok("paid".into()) }
    /// # }
    /// #[elicits]
    /// enum Order {
    ///     Confirm { confirmed: bool },
    /// }
    ///
    /// /// Orders an item.
    /// #[mcp_tool(replayable)]
    /// async fn order(shop: &Shop, ctx: &Ctx<Order>, item: String) -> Result<String> {
    ///     let reservation = ctx.step("reserve", shop.reserve(&item)).await?;
    ///     let confirm = ctx.elicit::<Confirm>(format!("Order {item}?")).strict().await?;
    ///     if !confirm.confirmed {
    ///         return Err("not ordered".into());
    ///     }
    ///     let key = ctx.idempotency_key("pay");
    ///     ctx.try_step("pay", shop.pay(reservation, &key)).await
    /// }
    /// ```
    ///
    /// Before the first question of a call there is no record of it yet: its outcomes travel with the call, and a first
    /// request that is repeated is a new call, with steps of its own. From then on the ledger has a mark before the step
    /// begins, and its outcome before the call goes on.
    ///
    /// # Errors
    /// See [`StepError`]. A tool that passes it on with `?` says the right thing to the client.
    pub fn step<F>(&self, name: &str, step: F) -> Step<'_, F>
    where
        F: Future<Output: StepValue> + Send,
        P: CanAsk,
    {
        Step(Stepping::new(self.state(), name, step))
    }

    /// Does something once in this call that may fail. See [`step`](Self::step).
    ///
    /// A failure is an outcome like any other: it is recorded by its text, and not tried again. What is to be tried
    /// again is tried within the step.
    ///
    /// # Errors
    /// What the step fails with, or a [`StepError`].
    pub fn try_step<F, T, E>(&self, name: &str, step: F) -> TryStep<'_, F>
    where
        F: Future<Output = Result<T, E>> + Send,
        T: StepValue,
        E: IntoToolError + Send,
        P: CanAsk,
    {
        TryStep(Stepping::new(self.state(), name, step))
    }
}

/// What a step gives: kept as JSON.
#[diagnostic::on_unimplemented(
    message = "a step cannot give `{Self}`: it is kept for when the call is rebuilt",
    label = "cannot be kept as JSON",
    note = "put `#[derive(serde::Serialize, serde::Deserialize)]` on `{Self}`",
    note = "a step that may fail is written `ctx.try_step(…)`"
)]
pub trait StepValue: Serialize + DeserializeOwned + Send {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + Send> StepValue for T {}

/// Why a step has no outcome.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// It was begun by a process that is gone, and may have taken effect. It is not begun again unless it is
    /// [`idempotent`](Step::idempotent).
    #[error(
        "the step `{step}` was begun before, and its outcome is not known: it may have taken effect; the key it passed \
         on is {idempotency_key}"
    )]
    UnknownOutcome {
        /// Its name, with its number.
        step: String,
        /// What [`Ctx::idempotency_key`] gives for it: by this whoever it was meant for may know it.
        idempotency_key: String,
    },
    /// It was done, and what it gave was too large to be kept.
    #[error("the step `{0}` was done, but what it gave was too large to be kept")]
    NotKept(String),
    /// What it gave cannot be written as JSON, or not be read back: its type has changed.
    #[error("what the step `{step}` gave cannot be kept as JSON: {reason}")]
    Unreadable {
        /// Its name, with its number.
        step: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The steps of the call take more room than its record has: 256 KiB.
    #[error("the steps of this call take more room than there is")]
    TooMany,
    /// The ledger failed. The step was not begun, or its outcome could not be written.
    #[error("the call cannot go on for now")]
    Unavailable(#[source] LedgerError),
    /// Another instance leads the call by now.
    #[error("another instance has taken this call over")]
    TakenOver,
}

impl From<ClaimError> for StepError {
    fn from(error: ClaimError) -> Self {
        match error {
            ClaimError::Lost => Self::TakenOver,
            ClaimError::TooManySteps => Self::TooMany,
            ClaimError::Ledger(error) => Self::Unavailable(error),
        }
    }
}

/// A step on its way. See [`Ctx::step`].
#[must_use = "a step is done when it is awaited"]
pub struct Step<'a, F>(Stepping<'a, F>);

/// A step on its way that may fail. See [`Ctx::try_step`].
#[must_use = "a step is done when it is awaited"]
pub struct TryStep<'a, F>(Stepping<'a, F>);

impl<F> Step<'_, F> {
    /// It may begin again where its outcome is not known: doing it twice is as good as once.
    pub fn idempotent(mut self) -> Self {
        self.0.again = true;
        self
    }
}

impl<F> TryStep<'_, F> {
    /// It may begin again where its outcome is not known: doing it twice is as good as once.
    pub fn idempotent(mut self) -> Self {
        self.0.again = true;
        self
    }
}

impl<'a, F> IntoFuture for Step<'a, F>
where
    F: Future<Output: StepValue> + Send + 'a,
{
    type Output = Result<F::Output, StepError>;
    type IntoFuture = StepFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        StepFuture(Box::pin(self.0.run(to_raw_value, |kept| serde_json::from_str(kept))))
    }
}

impl<'a, F, T, E> IntoFuture for TryStep<'a, F>
where
    F: Future<Output = Result<T, E>> + Send + 'a,
    T: StepValue,
    E: IntoToolError + Send,
{
    type Output = Result<T>;
    type IntoFuture = StepFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        let Stepping { call, key, again, step } = self.0;
        let step = async { step.await.map_err(IntoToolError::into_tool_error) };
        let stepping = Stepping { call, key, again, step };
        let write = |outcome: &Result<T>| to_raw_value(&outcome.as_ref().map_err(ToolError::chain));
        let read = |kept: &str| Ok(serde_json::from_str::<Result<T, String>>(kept)?.map_err(ToolError::from));
        StepFuture(Box::pin(async move { stepping.run(write, read).await? }))
    }
}

/// A step that is awaited.
pub struct StepFuture<'a, T>(Pin<Box<dyn Future<Output = T> + Send + 'a>>);

impl<T> Future for StepFuture<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        self.0.as_mut().poll(cx)
    }
}
