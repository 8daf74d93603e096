//! What an operator is told of clients that sample since 2026-07-28.

use std::sync::Once;

static TOLD: Once = Once::new();

/// There is no such client in this process: whoever calls is at its terminal.
#[cfg(feature = "cli")]
pub(crate) fn not_here() {
    TOLD.call_once(|| {});
}

/// Tells it once in a process.
pub(super) fn warn_once() {
    TOLD.call_once(|| {
        crate::report!(
            "a tool samples through a client of 2026-07-28: that revision has deprecated it, and clients may drop it from \
             2027-07-28 on. Name a model that the server asks itself, with `.sampling_provider(…)` at the server; the \
             tool stays as it is"
        );
    });
}
