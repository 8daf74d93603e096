//! Progress of a call, sent as `notifications/progress`.

use crate::engine::call::{CallState, message_sink::ProgressReport};

/// A progress report, sent when it is dropped: `ctx.progress(0.4).message("reading");`.
#[derive(Debug)]
pub struct Progress<'a> {
    call: &'a CallState,
    value: f64,
    total: Option<f64>,
    message: Option<String>,
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
        request.sink.progress(&ProgressReport {
            token: &reports.token,
            value: self.value,
            total: self.total.filter(|total| total.is_finite()),
            message: self.message.as_deref().filter(|_| self.call.revision.has_progress_message()),
        });
    }
}
