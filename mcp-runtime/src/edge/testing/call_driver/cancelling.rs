//! Cancels a call when its script says so.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    task::yield_now,
    time::{Instant, sleep},
};

use super::{CallAnswer, Course, Misfit};
use crate::{
    edge::testing::cancel::{CancelPoint, Cancellation},
    serve::client::{ProtocolError, ServerNotification},
};

/// Decides when a call is cancelled. Also records which requests of the call are in flight.
#[derive(Default)]
pub(super) struct Cancelling {
    /// The event at which the script cancels the call. `None` if there is no such event.
    when: Option<Cancellation>,
    /// The time at which the script cancels the call. `None` if the script does not set a time.
    pub(super) at: Option<Instant>,
    /// How long the script waits at a question before it cancels the call.
    pub(super) delay: Duration,
    /// The ids of the requests that have no response yet.
    pub(super) in_flight: Vec<u64>,
    /// The ids of the cancelled requests. The client ignores the responses to these requests.
    pub(super) over: Vec<u64>,
    pub(super) done: bool,
}

impl Cancelling {
    /// Handles a notification. Returns `Misfit::Cancelled` if the script cancels the call at this notification.
    pub(super) fn heard(&mut self, notification: &ServerNotification) -> Result<(), Misfit> {
        let awaited = match self.when.map(|when| when.moment) {
            Some(CancelPoint::Progress) => matches!(notification, ServerNotification::Progress(_)),
            Some(CancelPoint::Log) => matches!(notification, ServerNotification::Log(_)),
            Some(CancelPoint::After(_)) | None => false,
        };
        if awaited { Err(Misfit::Cancelled) } else { Ok(()) }
    }

    pub(super) fn time_is_up(&mut self) -> Result<(), Misfit> {
        match self.at {
            Some(at) if at <= Instant::now() => Err(Misfit::Cancelled),
            _ => Ok(()),
        }
    }
}

impl Course<'_> {
    /// Starts to watch for the event that cancels the call, now that the connection is open.
    pub(super) fn begin_to_watch(&mut self) {
        self.cancelling.when = self.script.cancellation;
        if let Some(Cancellation { moment: CancelPoint::After(time), .. }) = self.cancelling.when {
            self.limit.extend(time);
            self.cancelling.at = Some(Instant::now() + time);
        }
    }

    /// Cancels the requests in flight. Waits until the server has handled the cancellation, if the transport shows
    /// when this happens. In memory, the server has handled the cancellation when the call is dropped.
    pub(super) async fn cancel(&mut self) -> Result<CallAnswer, Misfit> {
        if self.client.trial.is_some() {
            return Err("a script cannot cancel a call at the same moment in every mode; test the \
                        cancellation with a separate `Client`"
                .to_owned()
                .into());
        }
        self.limit.extend(self.cancelling.delay);
        sleep(self.cancelling.delay).await;
        self.cancelling.when = None;
        self.cancelling.at = None;
        self.cancelling.done = true;
        self.due.clear();
        self.cancelling.over = std::mem::take(&mut self.cancelling.in_flight);
        let calls = self.connection.calls();
        let mut told = false;
        for request in self.cancelling.over.clone() {
            told |= self.connection.cancel(request, self.settings, &self.limit).await?;
        }
        if told {
            // The server handles messages in order, so a later response shows that it has handled the cancellation.
            let method = if self.settings.profile.revision.is_modern() { "server/discover" } else { "ping" };
            // An error response shows this too, for example if the server does not support the method.
            let _ = self.request(method, json!({})).await?;
        }
        let dropped = async {
            while calls.iter().any(|call| !call.0.task.is_finished()) {
                yield_now().await;
            }
        };
        self.limit.within(None, dropped).await?;
        Ok(Err(ProtocolError { code: 0, message: "cancelled by the script".to_owned(), data: Value::Null }))
    }

    /// # Errors
    /// Fails if the call has ended before the script could cancel it.
    pub(super) fn not_missed(&self) -> Result<(), Misfit> {
        match self.cancelling.when {
            Some(when) => Err(format!("the call ended before {when} could cancel it").into()),
            None => Ok(()),
        }
    }
}
