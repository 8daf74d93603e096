//! The events at which a script cancels its call.

use std::{fmt, panic::Location, time::Duration};

/// The event at which a script cancels the call. To cancel at a question, a script uses
/// [`Reply::cancel_call`](super::Reply::cancel_call).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CancelPoint {
    Progress,
    Log,
    After(Duration),
}

/// A cancellation, and its location in the test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cancellation {
    pub(crate) moment: CancelPoint,
    pub(crate) at: &'static Location<'static>,
}

impl fmt::Display for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moment {
            CancelPoint::Progress => f.write_str("`cancel_on_progress`")?,
            CancelPoint::Log => f.write_str("`cancel_on_log`")?,
            CancelPoint::After(time) => write!(f, "`cancel_after` {time:?}")?,
        }
        write!(f, " ({})", self.at)
    }
}
