//! The interface of a tool, or of the item of another method, to its calls.

use std::{any::Any, time::Duration};

use super::operation::Operation;

/// What a call runs. A call keeps it until the call ends, so that a change of the server's lists does not affect it.
pub(crate) trait CallTarget: Any + Send + Sync {
    fn name(&self) -> &str;

    /// Returns the kind of request that its calls answer. Prompts are registered like tools.
    fn operation(&self) -> Operation;

    /// Returns the timeout of a call.
    fn timeout(&self) -> Option<Duration>;

    /// Returns whether a call is allowed to run twice, because the tool is read-only or idempotent.
    fn may_run_again(&self) -> bool;

    /// Returns whether earlier calls blocked their threads. Later calls then run in tasks of their own.
    fn is_blocking(&self) -> bool;

    /// Records whether the first poll of a call blocked its thread.
    fn note_first_poll(&self, blocked: bool);

    /// Returns the path of a number in structured content that JSON cannot represent: NaN or infinity.
    fn non_finite_number(&self, content: &str) -> Option<String>;
}
