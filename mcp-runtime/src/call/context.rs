//! `Ctx`: what a tool's author can do with a call.

use std::{fmt, marker::PhantomData};

use serde::Serialize;

use super::{Call, CallState, Client, Progress};
use crate::wire::level::Level;

/// The call a tool is running in: log, progress, cancellation, the client.
///
/// Take it by reference: `ctx: &Ctx`, or `ctx: &Ctx<Booking>` for a tool that asks with the forms of `Booking`. It is cheap to clone and may be moved into spawned tasks; what a clone says
/// after the call has ended is dropped.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Counts the words of a text.
/// #[mcp_tool(read_only)]
/// async fn count_words(ctx: &Ctx, text: String) -> Text<usize> {
///     ctx.log(Level::Debug, format!("counting in {} bytes", text.len()));
///     let words = text.split_whitespace().count();
///     ctx.progress(1.0).message("counted");
///     Text(words)
/// }
/// ```
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

/// A phase of a call that runs once and asks nobody.
#[derive(Debug)]
pub enum RunsOnce {}

/// The context of the phases `before` and `after` of a [`handoff`](macro@crate::handoff): log, progress, cancellation.
pub type PhaseCtx = Ctx<AnyForms, RunsOnce>;

/// The set of the phases that ask nobody. It has all forms, so that asking there is one error: that of the phase.
#[derive(Debug)]
pub enum AnyForms {}

/// A phase of a call that may ask the client.
#[diagnostic::on_unimplemented(
    message = "only `client` can ask",
    label = "asks here",
    note = "`before` and `after` run once and hold no conversation; move the question to `client`"
)]
pub trait CanAsk {}

impl CanAsk for Talk {}

impl<S, P> Ctx<S, P> {
    /// Sends a log message to the client, if it wants messages of this level.
    ///
    /// `data` is any JSON; most often a string. It must hold no secrets. In the handshake revisions the client gets
    /// `info` and above until it sets another level; since 2026-07-28 it gets none unless the request asks for them.
    pub fn log(&self, level: Level, data: impl Serialize) {
        self.call.0.log(level, self.call.0.tool_name(), &data);
    }

    /// Reports how far the call is, if the client asked to be told. The report is sent when what this returns is
    /// dropped, so it is written as a statement: `ctx.progress(3.0).total(10.0).message("third file");`.
    ///
    /// Without [`total`](Progress::total) a value from 0 to 1 is a fraction. Only growing values are sent, and at
    /// most 20 in a second, besides the last: report as often as is convenient.
    pub fn progress(&self, value: f64) -> Progress<'_> {
        Progress::new(&self.call.0, value)
    }

    /// Waits until the client cancels the call. The call's own future is dropped then; this is for tasks and threads
    /// that it started and that hold a clone of the context.
    pub async fn cancelled(&self) {
        self.call.0.end.cancelled().await;
    }

    /// Whether the client has cancelled the call, or its time is over: for loops in blocking code.
    pub fn is_cancelled(&self) -> bool {
        self.call.0.end.is_cancelled()
    }

    /// The client: its name, its revision, what it can do.
    pub fn client(&self) -> Client {
        self.call.0.client()
    }

    pub(crate) fn state(&self) -> &CallState {
        &self.call.0
    }

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
        f.debug_tuple("Ctx").field(&self.call.0).finish()
    }
}
