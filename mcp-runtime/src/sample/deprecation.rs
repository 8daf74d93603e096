//! Warns the operator that sampling through clients is deprecated since 2026-07-28.

use std::sync::Once;

static WARNED: Once = Once::new();

/// Suppresses the warning in a process without such clients: the command line answers itself.
#[cfg(feature = "cli")]
pub(crate) fn not_here() {
    WARNED.call_once(|| {});
}

/// Logs the warning once per process.
pub(super) fn warn_once() {
    WARNED.call_once(|| {
        crate::report!(
            "a tool samples through a client of 2026-07-28: that revision has deprecated it, and clients may drop it from \
             2027-07-28 on. Name a model that the server asks itself, with `.sampling_provider(…)` at the server; the \
             tool stays as it is"
        );
    });
}
