//! The interface through which a call uses its tool, or its item of another method, such as a prompt.

use std::{any::Any, time::Duration};

use super::operation::Operation;

/// If a poll on the thread that receives messages takes longer than this, it counts as blocking. If the polls of a tool
/// are often blocking, the server polls that tool on another thread.
pub(crate) const LONG_POLL: Duration = Duration::from_millis(10);

/// The item that a call runs, such as a tool or a prompt. The call keeps this item until the call ends, so a change of
/// the server's lists does not affect the call.
pub(crate) trait CallTarget: Any + Send + Sync {
    fn name(&self) -> &str;

    /// Returns the kind of request that its calls answer. This is not always a tool call, because prompts are
    /// registered like tools.
    fn operation(&self) -> Operation;

    /// Returns the timeout of a call.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Returns whether a call is allowed to run twice, because the tool is read-only or idempotent.
    fn may_run_again(&self) -> bool {
        false
    }

    /// Returns whether a call can be rebuilt from its journal after its future was dropped.
    fn is_replayable(&self) -> bool {
        false
    }

    /// Returns whether polls of this kind blocked their threads. If so, later polls run in tasks of their own.
    fn is_blocking(&self, _kind: PollKind) -> bool {
        false
    }

    /// Records whether a poll blocked its thread.
    fn note_poll(&self, _kind: PollKind, _blocked: bool) {}

    /// Returns `true` once, so that a tool that blocks its thread is reported once.
    fn is_first_block(&self) -> bool {
        false
    }

    /// Returns the path of a number that JSON cannot represent (NaN or infinity), if structured content has one.
    fn non_finite_number(&self, _content: &str) -> Option<String> {
        None
    }
}

impl dyn CallTarget {
    /// Returns the kind and the name of the item, such as "tool `search`".
    pub(crate) fn described(&self) -> String {
        format!("{} `{}`", self.operation().noun(), self.name())
    }
}

/// The reason for a poll: a message of the client. The thread that received this message polls the call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PollKind {
    /// The first poll, after the request.
    First,
    /// A poll after the client's answer.
    Answered,
}
