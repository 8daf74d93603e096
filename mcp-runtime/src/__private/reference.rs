//! Parameters that a tool takes by reference. The type decides whether such a parameter is the context or shared state.

use std::{convert::Infallible, marker::PhantomData, ops::Deref};

use super::{Call, Probe, State};
use crate::{
    base::error::ToolError,
    engine::{
        call::Ctx,
        elicit::Elicits,
        tool::{StateNeed, ToolDefinition, state::missing_state},
    },
};

/// A requirement for the server or the client. It comes from a parameter that a tool takes by reference.
pub enum Need {
    Nothing,
    State(StateNeed),
    /// The parameter requires the forms of a set. The function adds these forms to a tool's definition.
    Forms(fn(ToolDefinition) -> ToolDefinition),
}

impl Need {
    /// Returns what a parameter of the function `client` requires. A parameter that is not the context must be the
    /// handoff, which requires nothing.
    pub fn of_client(self) -> Self {
        match self {
            Self::State(_) => Self::Nothing,
            other => other,
        }
    }
}

/// Creates the context of a call.
pub trait FetchContext<T> {
    fn need(&self) -> Need;
    fn fetch(&self, call: &Call) -> Result<Owned<T>, ToolError>;
}

impl<S: Elicits, P> FetchContext<Ctx<S, P>> for &&&Probe<Ctx<S, P>> {
    fn need(&self) -> Need {
        // Without forms, the code of rounds is not linked.
        if S::FORMS.is_empty() { Need::Nothing } else { Need::Forms(ToolDefinition::elicits::<S>) }
    }

    fn fetch(&self, call: &Call) -> Result<Owned<Ctx<S, P>>, ToolError> {
        Ok(Owned(Ctx::new(call.clone())))
    }
}

/// For a `Ctx<S>` where `S` is not a set of forms. The compiler reports an error only if the tool asks with this context.
impl<S, P> FetchContext<Ctx<S, P>> for &&Probe<Ctx<S, P>> {
    fn need(&self) -> Need {
        Need::Nothing
    }

    fn fetch(&self, call: &Call) -> Result<Owned<Ctx<S, P>>, ToolError> {
        Ok(Owned(Ctx::new(call.clone())))
    }
}

pub trait FetchState<T> {
    fn need(&self) -> Need;
    fn fetch<'a>(&self, call: &'a Call) -> Result<&'a T, ToolError>;
}

impl<T: State> FetchState<T> for &Probe<T> {
    fn need(&self) -> Need {
        Need::State(StateNeed::of::<T>())
    }

    fn fetch<'a>(&self, call: &'a Call) -> Result<&'a T, ToolError> {
        // `build` rejects a server without this state.
        call.state().ok_or_else(missing_state::<T>)
    }
}

/// Returns an error for a type that was already rejected at compile time.
pub trait FetchNothing<T: ?Sized> {
    fn need(&self) -> Need {
        Need::Nothing
    }

    fn fetch(&self, _call: &Call) -> Result<Refused<T>, ToolError> {
        Err("this type was rejected at compile time".into())
    }
}

impl<T: ?Sized> FetchNothing<T> for Probe<T> {}

/// Owns the context of a call while the tool's function runs.
pub struct Owned<T>(T);

impl<T> Owned<T> {
    pub(super) fn new(context: T) -> Self {
        Self(context)
    }
}

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Stands for a value of a rejected type. No value of this struct can exist, so the future of the call does not contain
/// a `&T`. If `T` is not `Sync`, a `&T` would make the future not `Send`, and the compiler would report a second error.
pub struct Refused<T: ?Sized>(pub Infallible, pub PhantomData<fn(&T)>);

impl<T: ?Sized> Deref for Refused<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self.0 {}
    }
}

/// Returns the fetched value. If the value is a `Refused`, the code after the call of `lend` is unreachable. Macros call it by
/// its path, because the author's type can have a method of this name.
pub trait Lend: Sized {
    fn lend(self) -> Self {
        self
    }
}

impl<T> Lend for Owned<T> {}
impl<T> Lend for &T {}
impl<T: ?Sized> Lend for Refused<T> {}

/// `reference!(Type)` fetches a `&Type`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_reference {
    ($ty:ty, need) => {{
        use $crate::__private::{FetchContext as _, FetchNothing as _, FetchState as _};
        (&&&&$crate::__private::Probe::<$ty>::NEW).need()
    }};
    ($ty:ty, $call:expr) => {{
        use $crate::__private::{FetchContext as _, FetchNothing as _, FetchState as _};
        $crate::__private::Lend::lend((&&&&$crate::__private::Probe::<$ty>::NEW).fetch($call)?)
    }};
}
