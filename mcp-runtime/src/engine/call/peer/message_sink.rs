//! The destination of a call's notifications, and the application behind it if there is no client.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use crate::wire::protocol::{
    frame::{Frame, Kind, push_json},
    id::RequestId,
    level::Level,
    text::push_json_string,
};

/// The destination of a call's notifications.
pub(crate) trait MessageSink: Send + Sync {
    fn send(&self, frame: Frame);

    /// Sends a log message. `data` is JSON text.
    fn log(&self, level: Level, logger: &str, data: &[u8]) {
        self.send(Frame::log(level, logger, |out| out.extend_from_slice(data)));
    }

    /// Sends a report of progress.
    fn progress(&self, report: &ProgressReport<'_>) {
        self.send(report.to_frame());
    }

    /// See [`Ctx::close_stream`].
    fn close_stream(&self, _retry: Duration) {}

    /// Returns whether the client has opened the stream of this sink.
    fn is_open(&self) -> bool {
        true
    }

    /// Returns the application, if an application runs the calls of this sink itself.
    fn application(&self) -> Option<&dyn Application> {
        None
    }
}

/// Drops the notifications of a call whose caller does not read them.
#[allow(dead_code, reason = "only calls without a client drop notifications")]
pub(crate) struct DropNotifications;

impl DropNotifications {
    /// Returns the sink that all such callers share.
    #[allow(dead_code, reason = "only requests over HTTP and contracts share it")]
    pub(crate) fn shared() -> Arc<dyn MessageSink> {
        static SHARED: LazyLock<Arc<dyn MessageSink>> = LazyLock::new(|| Arc::new(DropNotifications));
        Arc::clone(&SHARED)
    }
}

impl MessageSink for DropNotifications {
    fn send(&self, _: Frame) {}
}

/// An application that runs a call itself, without a client; see the module `plugin`. A call in an application asks one
/// question at a time, and each question with a form contains the key of the form.
pub(crate) trait Application: Send + Sync {
    /// Reports that `before` has returned this value. `handoff` is JSON text.
    fn handed_off(&self, handoff: &str);

    /// Reports that `after` begins. From now on the call cannot be cancelled.
    fn begun(&self);

    /// Reports that the server's own model has answered the question with this key, or has failed. `answer` is JSON text.
    fn sampled(&self, key: &str, answer: Option<&str>);
}

/// A report of progress, as an sink gets it.
pub(crate) struct ProgressReport<'a> {
    pub(crate) token: &'a RequestId,
    pub(crate) value: f64,
    pub(crate) total: Option<f64>,
    pub(crate) message: Option<&'a str>,
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
