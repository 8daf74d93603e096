//! How long work is watched from outside.

use mcp_runtime::{Ctx, Level};

use crate::error::CodeError;

/// Hears how far long work is, and may end it.
///
/// The work itself runs on a blocking thread, where dropping a future does not reach: it must look up from time to
/// time. A trait of its own lets tests stop the work where they like.
pub(crate) trait Watch {
    /// Whether nobody waits for the result any more.
    fn is_cancelled(&self) -> bool;

    /// The work has come as far as `done` of `total` files.
    fn files(&self, done: usize, total: usize);

    /// A file was skipped.
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

    /// Waits however long it takes.
    pub(crate) struct Patient;

    impl Watch for Patient {
        fn is_cancelled(&self) -> bool {
            false
        }

        fn files(&self, _done: usize, _total: usize) {}

        fn skipped(&self, _reason: &CodeError) {}
    }

    /// Remembers what it heard, and cancels once it has heard enough.
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
