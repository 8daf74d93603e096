//! Limits how often the progress of a call is reported.

use std::time::{Duration, Instant};

use crate::{base::mutex::Mutex, wire::protocol::id::RequestId};

/// The minimum time between two reports. The last report can come sooner.
const INTERVAL: Duration = Duration::from_millis(50);

/// Limits how often the reports of one call are sent.
pub(crate) struct Reports {
    pub(crate) token: RequestId,
    last: Mutex<LastReport>,
}

#[derive(Default)]
struct LastReport {
    value: Option<f64>,
    at: Option<Instant>,
    /// The time of the last report whose value equals its total. Such reports are limited too, because a tool can
    /// report `1 of 1`, `2 of 2`, and so on.
    done_at: Option<Instant>,
}

impl Reports {
    pub(crate) fn new(token: RequestId) -> Self {
        Self { token, last: Mutex::default() }
    }

    /// Returns whether to send this value. A value must be larger than the last one. At least [`INTERVAL`] must have
    /// passed since the last value, unless the work is `done`.
    pub(crate) fn admit(&self, value: f64, done: bool) -> bool {
        let mut last = self.last.lock();
        let now = Instant::now();
        let rested = |since: Option<Instant>| since.is_none_or(|since| INTERVAL <= now.duration_since(since));
        let grows = value.is_finite() && last.value.is_none_or(|before| before < value);
        let admitted = grows && (rested(last.at) || done && rested(last.done_at));
        if admitted {
            last.value = Some(value);
            last.at = Some(now);
            last.done_at = if done { Some(now) } else { last.done_at };
        }
        admitted
    }
}
