//! Cancels a call when its script says so.

use std::time::Duration;

use serde_json::json;
use tokio::{
    task::yield_now,
    time::{Instant, sleep},
};

use super::{course::Course, no_answer};
use crate::{
    edge::testing::{
        compare::CallAnswer,
        script::{
            cancel::{CancelPoint, Cancellation},
            request::Misfit,
        },
    },
    serve::{client::ServerNotification, transport::MemoryClient},
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

impl Course<'_> {
    /// Starts to watch for the event that cancels the call, now that the connection is open.
    pub(crate) fn begin_to_watch(&mut self) {
        self.cancelling.when = self.script.cancellation;
        if let Some(Cancellation { moment: CancelPoint::After(time), .. }) = self.cancelling.when {
            self.connection.limit.extend(time);
            self.cancelling.at = Some(Instant::now() + time);
        }
    }

    /// Cancels the requests in flight. Waits until the server has handled the cancellation, if the transport shows
    /// when this happens. In memory, the server has handled the cancellation when the call is dropped.
    pub(crate) async fn cancel(&mut self) -> Result<CallAnswer, Misfit> {
        if self.client.trial.is_some() {
            return Err("a script cannot cancel a call at the same moment in every mode; test the \
                        cancellation with a separate `Client`"
                .to_owned()
                .into());
        }
        self.connection.limit.extend(self.cancelling.delay);
        sleep(self.cancelling.delay).await;
        self.due.clear();
        let over = std::mem::take(&mut self.cancelling.in_flight);
        self.cancelling = Cancelling { over, done: true, ..Cancelling::default() };
        let calls = self.connection.transport.memory().map(MemoryClient::calls).unwrap_or_default();
        let mut told = false;
        for request in self.cancelling.over.clone() {
            told |= self.connection.cancel(request).await?;
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
        self.connection.limit.within(None, dropped).await?;
        Ok(no_answer("cancelled by the script".to_owned()))
    }

    /// # Errors
    /// Fails if the call has ended before the script could cancel it.
    pub(crate) fn not_missed(&self) -> Result<(), Misfit> {
        match self.cancelling.when {
            Some(when) => Err(format!("the call ended before {when} could cancel it").into()),
            None => Ok(()),
        }
    }
}
