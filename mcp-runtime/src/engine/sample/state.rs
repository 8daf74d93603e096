//! Restricts which options of a request can be combined.

use super::mode::{AsLoop, AsText, AsTools, GuaranteedSchemaFuture, GuaranteedToolsFuture};

/// A kind of request that has neither a schema nor tools yet.
#[diagnostic::on_unimplemented(
    message = "a request can have one schema or one set of tools, not both",
    label = "`.schema()` or `.tools()` was already called",
    note = "call `.schema::<T>()`, `.tools::<E>()` or `.tools_dyn(…)` once, and not after `ctx.sample_schema` \
            or `ctx.sample_tools`",
    note = "to get both, ask the model twice, or make the schema the input of a tool"
)]
pub trait Unshaped {}

impl Unshaped for AsText {}

/// A kind of request that offers tools.
#[diagnostic::on_unimplemented(
    message = "`.tool_choice(…)` works only after `.tools::<E>()` or `.tools_dyn(…)`",
    label = "this request has no tools that the model can choose",
    note = "write `.tools::<E>()` or `.tools_dyn(…)` before `.tool_choice(…)`",
    note = "with `ctx.sample_tools` the model must always call a tool: remove `.tool_choice(…)`"
)]
pub trait OffersTools {}

impl<E> OffersTools for AsTools<E> {}

/// A kind of request that is repeated until its reply is valid.
#[diagnostic::on_unimplemented(
    message = "`.retries(…)` works only with `sample_schema` and `sample_tools`",
    label = "this request is not retried",
    note = "write `ctx.sample_schema::<T>(…)` or `ctx.sample_tools::<E>(…)`, which return a valid reply or an error"
)]
pub trait Guaranteed {}

impl<T> Guaranteed for GuaranteedSchemaFuture<T> {}

impl<E> Guaranteed for GuaranteedToolsFuture<E> {}

/// A kind of request that lets the model take several turns.
#[diagnostic::on_unimplemented(
    message = "`.max_turns(…)` works only with `sample_loop`",
    label = "this request has only one turn",
    note = "write `ctx.sample_loop::<E>(…)`, which lets the model call tools turn by turn"
)]
pub trait TakesTurns {}

impl<E> TakesTurns for AsLoop<E> {}
