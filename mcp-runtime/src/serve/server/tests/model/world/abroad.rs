//! The errors with which a call of another server's tools is allowed to end.

use super::World;
use crate::serve::server::tests::model::tools::ToolKind;

impl World {
    /// Whether the events explain this failure of a call of another server's tools.
    pub(super) fn explains(&self, failure: &str) -> bool {
        let ToolKind::Abroad { minds_keys } = self.common.kind else { return false };
        let excuses = &self.excuses;
        if let Some(reason) = failure.strip_prefix("the server `trips` refuses `tools/call`: ") {
            // The state of the other server expires when that of the call does.
            return reason.starts_with("`requestState` has expired") && excuses.late()
                || ["book", "charge"].iter().any(|tool| reason.starts_with(&interrupted(tool)))
                    && minds_keys
                    && excuses.stalled
                // The other server has lost the record of a request that it still runs.
                || reason.starts_with("another request is running this call") && !minds_keys && excuses.late();
        }
        match failure {
            // The other server hears that the user gave no answer.
            "the user cancelled" => 3 <= self.sent.missing || excuses.late(),
            // A request that is not sent again.
            "the call at the server `trips` was cancelled, and may have had effects" => {
                !minds_keys && excuses.cancelled
            }
            _ => false,
        }
    }
}

/// The beginning of the other server's error for a tool that has begun in a request whose lease has expired.
fn interrupted(tool: &str) -> String {
    format!("the call of `{tool}` was interrupted after its side effects began, and its outcome is unknown")
}
