//! Progress of a call, sent as `notifications/progress`.

use std::time::{Duration, Instant};

use super::CallState;
use crate::{
    base::mutex::Mutex,
    wire::protocol::{
        frame::{Frame, Kind, push_json},
        id::RequestId,
        text::push_json_string,
    },
};

/// The minimum time between two reports. The last report can come sooner.
const INTERVAL: Duration = Duration::from_millis(50);

/// A progress report, sent when it is dropped: `ctx.progress(0.4).message("reading");`.
#[derive(Debug)]
pub struct Progress<'a> {
    call: &'a CallState,
    value: f64,
    total: Option<f64>,
    message: Option<String>,
}

/// Limits how often the reports of one call are sent.
pub(crate) struct Reports {
    token: RequestId,
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

impl<'a> Progress<'a> {
    /// Creates a report. For a value from 0 to 1, the total is 1 unless [`total`](Self::total) sets another total.
    pub(crate) fn new(call: &'a CallState, value: f64) -> Self {
        Self { call, value, total: (0.0..=1.0).contains(&value).then_some(1.0), message: None }
    }

    /// Sets the value at which the work is complete, in the same unit as the progress.
    pub fn total(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// Sets a description of the current work, which hosts can show to the user (since 2025-03-26).
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

/// A report of progress, as an outlet gets it.
pub(crate) struct ProgressReport<'a> {
    token: &'a RequestId,
    pub(crate) value: f64,
    pub(crate) total: Option<f64>,
    pub(crate) message: Option<&'a str>,
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        let request = self.call.request();
        let Some(request) = request.as_ref().filter(|_| !self.call.end.is_over()) else { return };
        let Some(reports) = &request.reports else { return };
        if self.call.conversation.is_replaying() {
            return;
        }
        if !reports.admit(self.value, self.total.is_some_and(|total| self.value >= total)) {
            return;
        }
        request.outlet.progress(&ProgressReport {
            token: &reports.token,
            value: self.value,
            total: self.total.filter(|total| total.is_finite()),
            message: self.message.as_deref().filter(|_| self.call.revision.has_progress_message()),
        });
    }
}

impl ProgressReport<'_> {
    pub(crate) fn to_frame(&self) -> Frame {
        let frame = Frame::notification("notifications/progress", |out| {
            out.extend_from_slice(br#"{"progressToken":"#);
            out.extend_from_slice(self.token.as_json().as_bytes());
            out.extend_from_slice(br#","progress":"#);
            push_json(out, &self.value);
            if let Some(total) = self.total {
                out.extend_from_slice(br#","total":"#);
                push_json(out, &total);
            }
            if let Some(message) = self.message {
                out.extend_from_slice(br#","message":"#);
                push_json_string(out, message);
            }
            out.push(b'}');
        });
        Frame { kind: Kind::Progress, ..frame }
    }
}

impl Reports {
    pub(crate) fn new(token: RequestId) -> Self {
        Self { token, last: Mutex::default() }
    }

    /// Returns whether to send this value. A value must be larger than the last one. At least [`INTERVAL`] must have
    /// passed since the last value, unless the work is `done`.
    fn admit(&self, value: f64, done: bool) -> bool {
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
