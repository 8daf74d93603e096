//! Progress and cancellation of long work.

use mcp_runtime::{Ctx, Level};

use crate::error::CodeError;

/// Receives the progress of long work, and can cancel it.
///
/// The work runs on a blocking thread. Dropping a future does not stop that thread, so the work must check for
/// cancellation from time to time. The trait lets a test cancel the work at any point.
pub(crate) trait Watch {
    /// Whether the call is cancelled, so that the result is no longer needed.
    fn is_cancelled(&self) -> bool;

    /// Reports that `done` of `total` files are done.
    fn files(&self, done: usize, total: usize);

    /// Reports that a file was skipped.
    fn skipped(&self, reason: &CodeError);
}

impl Watch for Ctx {
    fn is_cancelled(&self) -> bool {
        Self::is_cancelled(self)
    }

    fn files(&self, done: usize, total: usize) {
        self.progress(done as f64).total(total as f64).message(format!("{done} of {total} files"));
    }

    fn skipped(&self, reason: &CodeError) {
        self.log(Level::Debug, format!("skipped: {reason}"));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::RefCell;

    use super::{super::error::CodeError, Watch};

    /// A watch that never cancels.
    pub(crate) struct Patient;

    impl Watch for Patient {
        fn is_cancelled(&self) -> bool {
            false
        }

        fn files(&self, _done: usize, _total: usize) {}

        fn skipped(&self, _reason: &CodeError) {}
    }

    /// A watch that records the reports, and cancels after a number of them.
    pub(crate) struct Impatient {
        pub(crate) heard: RefCell<Vec<String>>,
        pub(crate) enough: usize,
    }

    impl Watch for Impatient {
        fn is_cancelled(&self) -> bool {
            self.heard.borrow().len() >= self.enough
        }

        fn files(&self, done: usize, total: usize) {
            self.heard.borrow_mut().push(format!("{done} of {total}"));
        }

        fn skipped(&self, reason: &CodeError) {
            self.heard.borrow_mut().push(reason.to_string());
        }
    }
}
