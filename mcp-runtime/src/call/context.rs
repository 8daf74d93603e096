//! `Ctx`: what a tool's author can do with a call.

use std::{fmt, marker::PhantomData};

use super::Call;

/// The call a tool is running in: log, progress, cancellation, the client.
///
/// Take it by reference: `ctx: &Ctx`. It is cheap to clone and may be moved into spawned tasks; what a clone says
/// after the call has ended is dropped.
pub struct Ctx<S = NoForms, P = Talk> {
    call: Call,
    kind: PhantomData<fn() -> (S, P)>,
}

/// The set of forms of a tool that asks its user nothing.
#[derive(Debug)]
pub enum NoForms {}

/// The phase of a call that may ask.
#[derive(Debug)]
pub enum Talk {}

impl<S, P> Ctx<S, P> {
    pub(crate) fn new(call: Call) -> Self {
        Self { call, kind: PhantomData }
    }
}

impl<S, P> Clone for Ctx<S, P> {
    fn clone(&self) -> Self {
        Self::new(self.call.clone())
    }
}

impl<S, P> fmt::Debug for Ctx<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ctx").finish_non_exhaustive()
    }
}
