//! What the type of a [`Ctx`] says: the forms of the tool, and what a phase of the call can do.

use super::Ctx;

/// The form set of a tool without forms.
#[derive(Debug)]
pub enum NoForms {}

/// Marks the context of a tool or a phase that can ask the client.
#[derive(Debug)]
pub enum Conversing {}

/// Marks the context of a phase that runs once and cannot ask the client.
#[derive(Debug)]
pub enum RunsOnce {}

/// The context of the phases `before` and `after` of a [`handoff`](macro@crate::handoff): log, progress, cancellation.
///
/// A helper that takes `&Ctx` does not accept it, because such a helper can sample. A helper for phases and tools takes
/// every context: `fn note<S, P>(ctx: &Ctx<S, P>)`. See [`Ctx`](Ctx#helpers).
pub type PhaseCtx = Ctx<AnyForms, RunsOnce>;

/// The form set of phases that cannot ask. It accepts all forms, so that a question in such a phase causes only one
/// compile error, about the phase.
#[derive(Debug)]
pub enum AnyForms {}

/// A phase of a call that can ask the client.
#[diagnostic::on_unimplemented(
    message = "only `client` can ask",
    label = "asks here",
    note = "`before` and `after` run once and cannot ask the client; move the question to `client`"
)]
pub trait CanAsk {}

impl CanAsk for Conversing {}

/// A phase of a call that can be replayed. It can use steps for code that must run once.
#[diagnostic::on_unimplemented(
    message = "`before` and `after` cannot use steps",
    label = "this is a step",
    note = "both phases already run once per call; await the future directly, without `ctx.step`"
)]
pub trait CanStep {}

impl CanStep for Conversing {}

/// A phase of a call that can call other tools.
#[diagnostic::on_unimplemented(
    message = "`before` and `after` cannot call tools",
    label = "calls a tool here",
    note = "a called tool can ask, and its effects are steps of the call; call it in `client`, or in a tool that is \
            `replayable`"
)]
pub trait CanCall {}

impl CanCall for Conversing {}
