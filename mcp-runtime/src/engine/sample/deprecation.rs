//! Warns the operator that sampling through clients is deprecated since 2026-07-28.

use std::sync::Once;

static WARNED: Once = Once::new();

/// Suppresses the deprecation warning on the command line, where the terminal answers in place of a client.
pub(crate) fn not_here() {
    WARNED.call_once(|| {});
}

/// Logs the deprecation warning once per process.
pub(super) fn warn_once() {
    WARNED.call_once(|| {
        crate::report!(
            "a tool uses the model of a client, but revision 2026-07-28 deprecates this, and clients may stop \
             supporting it from 2027-07-28 on; use `Server::sampling_provider` to set a \
             model that the server calls directly; the tool does not have to change"
        );
    });
}
