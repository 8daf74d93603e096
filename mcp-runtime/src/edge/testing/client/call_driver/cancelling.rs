//! The state of a scripted cancellation.

use std::time::Duration;

use tokio::time::Instant;

use crate::{
    edge::testing::script::{
        cancel::{CancelPoint, Cancellation},
        request::Misfit,
    },
    serve::client::ServerNotification,
};

/// Decides when a call is cancelled. Also records which requests of the call are in flight.
#[derive(Default)]
pub(crate) struct Cancelling {
    /// The event at which the script cancels the call. `None` if there is no such event.
    pub(crate) when: Option<Cancellation>,
    /// The time at which the script cancels the call. `None` if the script does not set a time.
    pub(crate) at: Option<Instant>,
    /// How long the script waits at a question before it cancels the call.
    pub(crate) delay: Duration,
    /// The ids of the requests that have no response yet.
    pub(crate) in_flight: Vec<u64>,
    /// The ids of the cancelled requests. The client ignores the responses to these requests.
    pub(crate) over: Vec<u64>,
    pub(crate) done: bool,
}

impl Cancelling {
    /// Handles a notification. Returns `Misfit::Cancelled` if the script cancels the call at this notification.
    pub(crate) fn heard(&mut self, notification: &ServerNotification) -> Result<(), Misfit> {
        let awaited = match self.when.map(|when| when.moment) {
            Some(CancelPoint::Progress) => matches!(notification, ServerNotification::Progress(_)),
            Some(CancelPoint::Log) => matches!(notification, ServerNotification::Log(_)),
            Some(CancelPoint::After(_)) | None => false,
        };
        if awaited { Err(Misfit::Cancelled) } else { Ok(()) }
    }

    pub(crate) fn time_is_up(&mut self) -> Result<(), Misfit> {
        match self.at {
            Some(at) if at <= Instant::now() => Err(Misfit::Cancelled),
            _ => Ok(()),
        }
    }
}
