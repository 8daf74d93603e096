//! How long calls are kept that wait for their clients.

use std::time::Duration;

/// How long a client may take for an answer.
pub(crate) const ANSWER_WITHIN: Duration = Duration::from_secs(60 * 60);

/// How long a future is kept.
pub(crate) const FUTURE_KEPT: Duration = Duration::from_secs(15 * 60);
