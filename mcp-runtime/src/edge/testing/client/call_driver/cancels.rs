//! Cancels a call when its script says so.

use serde_json::{Value, json};
use tokio::{
    task::yield_now,
    time::{Instant, sleep},
};

use super::course::Course;
use crate::{
    edge::testing::{
        compare::CallAnswer,
        script::{
            cancel::{CancelPoint, Cancellation},
            request::Misfit,
        },
    },
    serve::client::ProtocolError,
};

impl Course<'_> {
    /// Starts to watch for the event that cancels the call, now that the connection is open.
    pub(crate) fn begin_to_watch(&mut self) {
        self.cancelling.when = self.script.cancellation;
        if let Some(Cancellation { moment: CancelPoint::After(time), .. }) = self.cancelling.when {
            self.limit.extend(time);
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
    pub(crate) fn not_missed(&self) -> Result<(), Misfit> {
        match self.cancelling.when {
            Some(when) => Err(format!("the call ended before {when} could cancel it").into()),
            None => Ok(()),
        }
    }
}
