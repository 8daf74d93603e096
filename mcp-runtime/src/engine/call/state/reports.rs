//! Limits how often the progress of a call is reported, and by which of the calls inside each other.

use std::time::{Duration, Instant};

use crate::{base::mutex::Mutex, wire::protocol::id::RequestId};

/// The minimum time between two reports. The last report can come sooner.
const INTERVAL: Duration = Duration::from_millis(50);

/// How much a value grows for the message of a nested call, in parts of the value. So small that it is not seen.
const SMALLEST_STEP: f64 = 1e-9;

/// The call whose values are the progress: the outermost one that has reported progress. Calls within it report only
/// their messages.
#[derive(Default)]
pub(crate) struct Reporter(Mutex<Option<Box<LevelReport>>>);

/// The highest report of the calls at one level.
#[derive(Clone, Copy)]
pub(crate) struct LevelReport {
    level: u32,
    pub(crate) value: f64,
    pub(crate) total: Option<f64>,
}

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

impl Reporter {
    /// Records a report of a call inside of this many others. Returns the report of the call around it, if that call
    /// reports progress.
    pub(crate) fn note(&self, level: u32, value: f64, total: Option<f64>) -> Option<LevelReport> {
        let mut last = self.0.lock();
        let report = LevelReport { level, value, total };
        match last.as_deref_mut() {
            Some(outer) if outer.level < level => return Some(*outer),
            Some(same) if same.level == level && value <= same.value => {}
            _ if !value.is_finite() => {}
            Some(other) => *other = report,
            None => *last = Some(Box::new(report)),
        }
        None
    }
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

    /// Returns the value that goes with the message of a nested call: that of its caller, or the next larger one if that
    /// was sent. Returns `None` if the caller has no larger one, because its work is complete.
    pub(crate) fn value_for_message(&self, caller: LevelReport) -> Option<f64> {
        let last = self.last.lock().value.filter(|last| caller.value <= *last);
        let value = last.map_or(caller.value, |last| last + last.abs().max(1.0) * SMALLEST_STEP);
        caller.total.is_none_or(|total| value < total).then_some(value)
    }
}
