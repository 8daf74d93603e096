//! `ctx.step(…)`: what a call does once, however often it is rebuilt.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{from_str, value::to_raw_value};

use super::{
    CanStep, Ctx,
    stepping::{Read, Stepping, Write},
};
use crate::{
    call::lease::{ClaimError, LedgerError},
    error::{IntoToolError, Result, ToolError},
};

impl<S, P> Ctx<S, P> {
    /// Does something once in this call: its outcome is recorded, and a call that is rebuilt goes on with it.
    ///
    /// The tool must be `replayable`, or its call ends with its process and there is nothing to go on with. The name
    /// tells the steps of a call apart; one that comes again is numbered. No step begins while the user is being asked,
    /// and what the step awaits must not ask.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
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
    /// async fn order(shop: &Shop, ctx: &Ctx<Order>, item: String) -> ToolResult<String> {
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
    pub fn step<'a, F>(&'a self, name: &str, step: F) -> Step<'a, F::Output>
    where
        F: Future<Output: StepValue> + Send + 'a,
        P: CanStep,
    {
        let (write, read): (Write<F::Output>, Read<F::Output>) = (|value| to_raw_value(value), |kept| from_str(kept));
        Step(Stepping::new(self.state(), name, Box::pin(step), write, read))
    }

    /// Does something once in this call that may fail. See [`step`](Self::step).
    ///
    /// A failure is an outcome like any other: it is recorded by its text, and not tried again. What is to be tried
    /// again is tried within the step.
    ///
    /// # Errors
    /// What the step fails with, or a [`StepError`].
    pub fn try_step<'a, F, T, E>(&'a self, name: &str, step: F) -> TryStep<'a, T>
    where
        F: Future<Output = Result<T, E>> + Send + 'a,
        T: StepValue,
        E: IntoToolError,
        P: CanStep,
    {
        let step = async { step.await.map_err(IntoToolError::into_tool_error) };
        let write: Write<Result<T>> = |outcome| to_raw_value(&outcome.as_ref().map_err(ToolError::chain));
        let read: Read<Result<T>> = |kept| Ok(from_str::<Result<T, String>>(kept)?.map_err(ToolError::from));
        TryStep(Stepping::new(self.state(), name, Box::pin(step), write, read))
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
pub struct Step<'a, T>(Stepping<'a, T>);

/// A step on its way that may fail. See [`Ctx::try_step`].
#[must_use = "a step is done when it is awaited"]
pub struct TryStep<'a, T>(Stepping<'a, Result<T>>);

impl<T> Step<'_, T> {
    /// It may begin again where its outcome is not known: doing it twice is as good as once.
    pub fn idempotent(self) -> Self {
        Self(self.0.idempotent())
    }
}

impl<T> TryStep<'_, T> {
    /// It may begin again where its outcome is not known: doing it twice is as good as once.
    pub fn idempotent(self) -> Self {
        Self(self.0.idempotent())
    }
}

impl<'a, T: Send + 'a> IntoFuture for Step<'a, T> {
    type Output = Result<T, StepError>;
    type IntoFuture = StepFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        StepFuture(Box::pin(self.0.run()))
    }
}

impl<'a, T: Send + 'a> IntoFuture for TryStep<'a, T> {
    type Output = Result<T>;
    type IntoFuture = StepFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        StepFuture(Box::pin(async { self.0.run().await? }))
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

impl<T> fmt::Debug for Step<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Step").field(&self.0.key()).finish()
    }
}

impl<T> fmt::Debug for TryStep<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TryStep").field(&self.0.key()).finish()
    }
}

impl<T> fmt::Debug for StepFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepFuture").finish_non_exhaustive()
    }
}
