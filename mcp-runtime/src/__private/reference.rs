//! What a tool takes by reference: the context of the call, or shared state. The type decides, not its name.

use std::ops::Deref;

use super::{Call, Probe, State};
use crate::{call::Ctx, error::ToolError, tool::StateNeed};

/// Something that is lent to a call.
pub trait FetchContext<T> {
    fn need(&self) -> Option<StateNeed>;
    fn fetch(&self, call: &Call) -> Result<Owned<T>, ToolError>;
}

impl<S, P> FetchContext<Ctx<S, P>> for &&Probe<Ctx<S, P>> {
    fn need(&self) -> Option<StateNeed> {
        None
    }

    fn fetch(&self, call: &Call) -> Result<Owned<Ctx<S, P>>, ToolError> {
        Ok(Owned(call.context()))
    }
}

pub trait FetchState<T> {
    fn need(&self) -> Option<StateNeed>;
    fn fetch<'a>(&self, call: &'a Call) -> Result<&'a T, ToolError>;
}

impl<T: State> FetchState<T> for &Probe<T> {
    fn need(&self) -> Option<StateNeed> {
        Some(StateNeed::of::<T>())
    }

    fn fetch<'a>(&self, call: &'a Call) -> Result<&'a T, ToolError> {
        // `build` has refused a server without it.
        call.state().ok_or_else(|| format!("the server has no `{}`", std::any::type_name::<T>()).into())
    }
}

/// A type that was refused at compile time.
pub trait FetchNothing<T: ?Sized> {
    fn need(&self) -> Option<StateNeed> {
        None
    }

    fn fetch<'a>(&self, _call: &'a Call) -> Result<&'a T, ToolError> {
        Err("this type was refused at compile time".into())
    }
}

impl<T: ?Sized> FetchNothing<T> for Probe<T> {}

/// A context, kept while the function runs.
pub struct Owned<T>(T);

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// `reference!(Type)`: what knows how to fetch a `&Type`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_reference {
    ($ty:ty, need) => {{
        use $crate::__private::{FetchContext as _, FetchNothing as _, FetchState as _};
        (&&&$crate::__private::Probe::<$ty>::NEW).need()
    }};
    ($ty:ty, $call:expr) => {{
        use $crate::__private::{FetchContext as _, FetchNothing as _, FetchState as _};
        (&&&$crate::__private::Probe::<$ty>::NEW).fetch($call)?
    }};
}
