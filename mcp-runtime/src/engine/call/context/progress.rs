//! Progress of a call, sent as `notifications/progress`.

use crate::engine::call::{Call, message_sink::ProgressReport};

/// A progress report, sent when it is dropped: `ctx.progress(0.4).message("reading");`.
#[derive(Debug)]
pub struct Progress<'a> {
    call: &'a Call,
    value: f64,
    total: Option<f64>,
    message: Option<String>,
}

impl<'a> Progress<'a> {
    /// Creates a report. For a value from 0 to 1, the total is 1 unless [`total`](Self::total) sets another total.
    pub(crate) fn new(call: &'a Call, value: f64) -> Self {
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
        let call = &self.call.0;
        let request = call.request();
        let Some(request) = request.as_ref().filter(|_| !call.end.is_over()) else { return };
        let Some(reports) = &request.reports else { return };
        let message = self.message.as_deref().filter(|_| call.revision.has_progress_message());
        // A replay is noted, too: the caller of a nested call reports before the part of it that is not replayed.
        let (value, total) = match call.reporter.note(self.call.level(), self.value, self.total) {
            None => (Some(self.value), self.total),
            Some(caller) => (message.and_then(|_| reports.value_for_message(caller)), caller.total),
        };
        let Some(value) = value.filter(|_| !call.conversation.is_replaying()) else { return };
        if !reports.admit(value, total.is_some_and(|total| value >= total)) {
            return;
        }
        let total = total.filter(|total| total.is_finite());
        request.sink.progress(&ProgressReport { token: &reports.token, value, total, message });
    }
}
