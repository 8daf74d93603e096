//! What may be said of an ask for a model, depending on what was said before.

use super::mode::{AsLoop, AsText, AsTools, SureSchema, SureTools};

/// An ask of which neither a schema nor tools were said.
#[diagnostic::on_unimplemented(
    message = "a reply has a schema or calls tools, not both",
    label = "there is a schema before it, or tools",
    note = "`.schema::<T>()`, `.tools::<E>()` or `.tools_dyn(…)` stands once in an ask, and never in one that is guaranteed",
    note = "ask twice, or make a tool of what the schema says"
)]
pub trait Unshaped {}

impl Unshaped for AsText {}

/// An ask that offers tools.
#[diagnostic::on_unimplemented(
    message = "there are no tools here to choose from",
    label = "no tools before it",
    note = "offer tools first: `.tools::<E>()` or `.tools_dyn(…)`",
    note = "what is asked by `ctx.sample_tools` always calls one"
)]
pub trait OffersTools {}

impl<E> OffersTools for AsTools<E> {}

/// An ask that is repeated until its reply fits.
#[diagnostic::on_unimplemented(
    message = "only what is guaranteed is tried again",
    label = "this is asked once",
    note = "write `ctx.sample_schema::<T>(…)` or `ctx.sample_tools::<E>(…)`, which give what they say or an error"
)]
pub trait Guaranteed {}

impl<T> Guaranteed for SureSchema<T> {}

impl<E> Guaranteed for SureTools<E> {}

/// An ask that goes on for several turns.
#[diagnostic::on_unimplemented(
    message = "only a loop has turns",
    label = "this is asked once",
    note = "write `ctx.sample_loop::<E>(…)`, which lets the model call tools turn by turn"
)]
pub trait TakesTurns {}

impl<E> TakesTurns for AsLoop<E> {}
