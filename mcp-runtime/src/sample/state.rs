//! Restricts which options of a request can be combined.

use super::mode::{AsLoop, AsText, AsTools, SureSchema, SureTools};

/// A kind of request that has neither a schema nor tools yet.
#[diagnostic::on_unimplemented(
    message = "a reply has a schema or calls tools, not both",
    label = "`.schema()` or `.tools()` was already called",
    note = "call `.schema::<T>()`, `.tools::<E>()` or `.tools_dyn(…)` once, and not after `ctx.sample_schema` \
            or `ctx.sample_tools`",
    note = "ask the model twice, or make the schema the input of a tool"
)]
pub trait Unshaped {}

impl Unshaped for AsText {}

/// A kind of request that offers tools.
#[diagnostic::on_unimplemented(
    message = "`.tool_choice(…)` needs tools that the model can choose",
    label = "no tools are offered before it",
    note = "offer tools first: `.tools::<E>()` or `.tools_dyn(…)`",
    note = "`ctx.sample_tools` always requires a call"
)]
pub trait OffersTools {}

impl<E> OffersTools for AsTools<E> {}

/// A kind of request that is repeated until its reply is valid.
#[diagnostic::on_unimplemented(
    message = "only `sample_schema` and `sample_tools` are retried",
    label = "this is asked once",
    note = "write `ctx.sample_schema::<T>(…)` or `ctx.sample_tools::<E>(…)`, which return a valid reply or an error"
)]
pub trait Guaranteed {}

impl<T> Guaranteed for SureSchema<T> {}

impl<E> Guaranteed for SureTools<E> {}

/// A kind of request that lets the model take several turns.
#[diagnostic::on_unimplemented(
    message = "only a loop has turns",
    label = "this is asked once",
    note = "write `ctx.sample_loop::<E>(…)`, which lets the model call tools turn by turn"
)]
pub trait TakesTurns {}

impl<E> TakesTurns for AsLoop<E> {}
