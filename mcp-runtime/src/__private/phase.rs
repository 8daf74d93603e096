//! The runtime part of `#[handoff]`. It checks each type that is passed between phases once, and reports errors at the
//! author's type.

use std::{any::type_name, marker::PhantomData};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{from_str, value::to_raw_value};

use super::{
    Call, Probe, State, Tool,
    reference::{Owned, Refused},
};
use crate::{
    base::error::{IntoToolError, ToolError},
    engine::call::{
        Conversing, Ctx, RunsOnce,
        once::{PartFuture, Recorded},
    },
    wire::protocol::result::CallToolResult,
};

/// A type that `before` can return if `after` takes an `H`.
#[diagnostic::on_unimplemented(
    message = "`before` returns `{Self}`, but `after` takes `{H}`",
    label = "expected `{H}` or `Result<{H}, _>`",
    note = "`before` returns the handoff, `client` borrows it, and `after` takes it by value: use the same type"
)]
pub trait FromBefore<H>: Sized {
    const GIVE: fn(Self) -> Result<H, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<H> FromBefore<H> for H {
    const GIVE: fn(Self) -> Result<H, ToolError> = Ok;
}

// `do_not_recommend` is not used here, because the message must name the error type, not the whole `Result`.
impl<H, E: IntoToolError> FromBefore<H> for Result<H, E> {
    const GIVE: fn(Self) -> Result<H, ToolError> = give;
}

/// A type that `client` can return if `after` takes a `C`.
#[diagnostic::on_unimplemented(
    message = "`client` returns `{Self}`, but `after` takes `{C}`",
    label = "expected `{C}` or `Result<{C}, _>`",
    note = "`after` takes the value that `client` returns: use the same type in both"
)]
pub trait FromClient<C>: Sized {
    const GIVE: fn(Self) -> Result<C, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<C> FromClient<C> for C {
    const GIVE: fn(Self) -> Result<C, ToolError> = Ok;
}

// `do_not_recommend` is not used here, because the message must name the error type, not the whole `Result`.
impl<C, E: IntoToolError> FromClient<C> for Result<C, E> {
    const GIVE: fn(Self) -> Result<C, ToolError> = give;
}

fn give<T, E: IntoToolError>(result: Result<T, E>) -> Result<T, ToolError> {
    result.map_err(IntoToolError::into_tool_error)
}

/// A handoff, which is the value that `before` returns. The server stores it while the client is asked.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed from `before` to the later phases",
    label = "this value cannot be stored while the client answers",
    note = "put `#[derive(serde::Serialize, serde::Deserialize)]` on `{Self}`: the call may continue in another \
            round or in another process"
)]
pub trait Travel: Sized {
    const KEEPING: Keeping<Self>;
}

#[diagnostic::do_not_recommend]
impl<H: Serialize + DeserializeOwned> Travel for H {
    const KEEPING: Keeping<H> = Keeping {
        kept: Call::kept_handoff,
        keep: Call::keep_handoff,
        reads: |kept| Call::read_handoff::<H>(kept).map(drop),
        recorded: Recorded {
            write: |outcome| to_raw_value(&outcome.as_ref().map_err(ToolError::chain)),
            read: |kept| Ok(from_str::<Result<H, String>>(kept)?.map_err(ToolError::from)),
        },
    };
}

/// The functions that store and read a handoff of type `H`. This struct has no bound on `H`.
pub struct Keeping<H> {
    /// Calls [`Call::kept_handoff`], which returns the stored handoff, if there is one.
    pub kept: fn(&Call) -> Result<Option<H>, ToolError>,
    /// Calls [`Call::keep_handoff`], which stores a handoff.
    pub keep: fn(&Call, H) -> Result<H, ToolError>,
    /// Checks that a stored handoff, given as JSON text, can be read as an `H`.
    pub reads: fn(&str) -> Result<(), ToolError>,
    /// How a nested call records its handoff, as the output of a step.
    pub recorded: Recorded<H>,
}

/// Returns the handoff: the recorded one, or what the phase `before` returns.
pub async fn before<H>(call: &Call, keeping: &'static Keeping<H>, before: PartFuture<'_, H>) -> Result<H, ToolError> {
    if call.nested().is_some() {
        // Boxed, so that the futures of calls that wait stay small.
        return Box::pin(call.once("before", before, &keeping.recorded)).await;
    }
    match (keeping.kept)(call)? {
        Some(kept) => Ok(kept),
        None => (keeping.keep)(call, before.await?),
    }
}

/// Runs the phase `after`, or returns its recorded result.
pub async fn after(call: &Call, after: PartFuture<'_, CallToolResult>) -> Result<CallToolResult, ToolError> {
    if call.nested().is_some() {
        return Box::pin(call.once("after", after, &Recorded::RESULT)).await;
    }
    call.begin().await?;
    after.await
}

/// Finds the author's value that was registered as the tool.
pub trait FetchThis<T> {
    fn fetch<'a>(&self, call: &'a Call) -> Result<&'a T, ToolError>;
}

impl<T: Tool + State> FetchThis<T> for &Probe<T> {
    fn fetch<'a>(&self, call: &'a Call) -> Result<&'a T, ToolError> {
        call.tool().ok_or_else(|| {
            let name = type_name::<T>();
            format!("a tool wraps the handoff `{name}`, so its `Tool::wrapped` must return this handoff").into()
        })
    }
}

/// `this!(Type, &call)` returns the `&self` of a phase.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_this {
    ($ty:ty, $call:expr) => {{
        use $crate::__private::{FetchNothing as _, FetchThis as _};
        $crate::__private::Lend::lend((&&$crate::__private::Probe::<$ty>::NEW).fetch($call)?)
    }};
}

/// Decides whether a parameter `&T` of the function `client` is the context, the handoff, or a mistake.
pub struct Taking<T: ?Sized, H>(PhantomData<fn(&T, &H)>);

impl<T: ?Sized, H> Taking<T, H> {
    pub const NEW: Self = Self(PhantomData);
}

/// A kind of phase whose context can ask the client. `client` takes only such a context.
#[diagnostic::on_unimplemented(
    message = "`client` needs a context that can ask the client",
    label = "write `&Ctx`, or `&Ctx<YourForms>`",
    note = "`&PhaseCtx` is only for `before` and `after`, and it cannot ask the client"
)]
pub trait AskingPhase {}

impl AskingPhase for Conversing {}

pub trait TakeContext<S, P, H> {
    fn take(&self, call: &Call, _handoff: &H) -> Owned<Ctx<S, P>>
    where
        P: AskingPhase,
    {
        Owned::new(Ctx::new(call.clone()))
    }
}

impl<S, P, H> TakeContext<S, P, H> for &&Taking<Ctx<S, P>, H> {}

pub trait TakeHandoff<H> {
    fn take<'a>(&self, _call: &Call, handoff: &'a H) -> &'a H {
        handoff
    }
}

impl<H> TakeHandoff<H> for &Taking<H, H> {}

/// A type that `client` can take by reference. It must be the context or the handoff.
#[diagnostic::on_unimplemented(
    message = "`client` takes `&{Self}`, but the handoff is `{H}`",
    label = "this is neither the context nor the handoff",
    note = "`client` cannot access the server: let `before` put the data for `client` into the handoff",
    note = "if this is the handoff, use the type that `before` returns and that `after` takes as its first value"
)]
pub trait Handoff<H> {}

#[diagnostic::do_not_recommend]
impl<H> Handoff<H> for H {}

pub trait TakeNothing<T: ?Sized, H> {
    fn take(&self, _call: &Call, _handoff: &H) -> Refused<T>
    where
        T: Handoff<H>,
    {
        unreachable!("this type was rejected at compile time")
    }
}

impl<T: ?Sized, H> TakeNothing<T, H> for Taking<T, H> {}

/// `taken!(Type, Handoff, &call, &handoff)` returns the argument for a parameter `&Type` of `client`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_taken {
    ($ty:ty, $handoff_type:ty, $call:expr, $handoff:expr) => {{
        use $crate::__private::{TakeContext as _, TakeHandoff as _, TakeNothing as _};
        (&&&$crate::__private::Taking::<$ty, $handoff_type>::NEW).take($call, $handoff)
    }};
}

/// A kind of phase whose context cannot ask the client. `before` and `after` take only such a context.
#[diagnostic::on_unimplemented(
    message = "`before` and `after` cannot ask the client",
    label = "write `&PhaseCtx`",
    note = "only `client` can ask, with `&Ctx<…>`; `&PhaseCtx` is for log, progress and cancellation"
)]
pub trait CannotAsk {}

impl CannotAsk for RunsOnce {}

pub trait RunContext<P> {
    fn runs_once(&self)
    where
        P: CannotAsk,
    {
    }
}

impl<S, P> RunContext<P> for &Probe<Ctx<S, P>> {}

pub trait RunOther {
    fn runs_once(&self) {}
}

impl<T: ?Sized> RunOther for Probe<T> {}

/// `runs_once!(Type)` checks a parameter `&Type` of `before` or `after`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_runs_once {
    ($ty:ty) => {
        const _: fn() = || {
            use $crate::__private::{RunContext as _, RunOther as _};
            (&&$crate::__private::Probe::<$ty>::NEW).runs_once();
        };
    };
}
