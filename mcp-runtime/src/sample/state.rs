//! What may be said of an ask for a model, depending on what was said before.

use super::builder::{AsText, AsTools, SureSchema, SureTools};

/// An ask of which neither a schema nor tools were said.
#[diagnostic::on_unimplemented(
    message = "a reply has a schema or calls tools, not both",
    label = "said after the other",
    note = "`.schema::<T>()` or `.tools::<E>()` stands once in an ask; ask twice, or put what the schema says into a tool"
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
