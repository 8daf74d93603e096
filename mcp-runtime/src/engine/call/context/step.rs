//! `ctx.step(…)`: runs code once in a call, even if the call is replayed.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{from_str, value::to_raw_value};

use super::{
    CanStep, Ctx,
    stepping::{ReadValue, Stepping, WriteValue},
};
use crate::{
    base::error::{IntoToolError, Result, ToolError},
    engine::call::StepError,
};

impl<S, P> Ctx<S, P> {
    /// Runs a future once in this call and records its output. A replay of the call returns the recorded output.
    ///
    /// The tool must be `replayable`. Otherwise the call ends when its process ends, and is never replayed. The name
    /// identifies the step within the call. A repeated name gets a number. A step begins only when no question is open,
    /// and the step must not ask.
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
    /// Before the first question, a call has no record in the ledger. The outputs of its steps are sent in the
    /// `requestState`. A repeated first request is a new call, which runs its steps again. After the first question,
    /// the ledger records the beginning of a step before the step runs, and its output before the call continues.
    ///
    /// # Errors
    /// See [`StepError`]. Pass the error on with `?`: its text tells the client what happened.
    pub fn step<'a, F>(&'a self, name: &str, step: F) -> Step<'a, F::Output>
    where
        F: Future<Output: StepValue> + Send + 'a,
        P: CanStep,
    {
        let (write, read): (WriteValue<F::Output>, ReadValue<F::Output>) =
            (|value| to_raw_value(value), |kept| from_str(kept));
        Step(Stepping::new(self.call_in_progress(), name, Box::pin(step), write, read))
    }

    /// Runs a fallible future once in this call. See [`step`](Self::step).
    ///
    /// A failure is an output too: it is recorded, as text, and the step is not retried. To retry, put the retries into
    /// the step.
    ///
    /// # Errors
    /// Returns the error of the step, or a [`StepError`].
    pub fn try_step<'a, F, T, E>(&'a self, name: &str, step: F) -> TryStep<'a, T>
    where
        F: Future<Output = Result<T, E>> + Send + 'a,
        T: StepValue,
        E: IntoToolError,
        P: CanStep,
    {
        let step = async { step.await.map_err(IntoToolError::into_tool_error) };
        let write: WriteValue<Result<T>> = |outcome| to_raw_value(&outcome.as_ref().map_err(ToolError::chain));
        let read: ReadValue<Result<T>> = |kept| Ok(from_str::<Result<T, String>>(kept)?.map_err(ToolError::from));
        TryStep(Stepping::new(self.call_in_progress(), name, Box::pin(step), write, read))
    }
}

/// The output of a step, recorded as JSON.
#[diagnostic::on_unimplemented(
    message = "a step cannot return `{Self}`: the output of a step is recorded as JSON",
    label = "cannot be recorded as JSON",
    note = "put `#[derive(serde::Serialize, serde::Deserialize)]` on `{Self}`",
    note = "for a step that can fail, use `ctx.try_step(…)`"
)]
pub trait StepValue: Serialize + DeserializeOwned + Send {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + Send> StepValue for T {}

/// A step to await, created by [`Ctx::step`].
#[must_use = "a step runs only when it is awaited"]
pub struct Step<'a, T>(Stepping<'a, T>);

/// A fallible step to await, created by [`Ctx::try_step`].
#[must_use = "a step runs only when it is awaited"]
pub struct TryStep<'a, T>(Stepping<'a, Result<T>>);

impl<T> Step<'_, T> {
    /// Allows the step to run again if its outcome is unknown. Use this if two runs of the step have the same effect as
    /// one.
    pub fn idempotent(mut self) -> Self {
        self.0.again = true;
        self
    }
}

impl<T> TryStep<'_, T> {
    /// Allows the step to run again if its outcome is unknown. Use this if two runs of the step have the same effect as
    /// one.
    pub fn idempotent(mut self) -> Self {
        self.0.again = true;
        self
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

/// The future of a step.
pub struct StepFuture<'a, T>(Pin<Box<dyn Future<Output = T> + Send + 'a>>);

impl<T> Future for StepFuture<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        self.0.as_mut().poll(cx)
    }
}

impl<T> fmt::Debug for Step<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Step").field(&self.0.key).finish()
    }
}

impl<T> fmt::Debug for TryStep<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TryStep").field(&self.0.key).finish()
    }
}

impl<T> fmt::Debug for StepFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepFuture").finish_non_exhaustive()
    }
}
