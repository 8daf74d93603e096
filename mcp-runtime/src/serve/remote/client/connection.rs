//! One connection to a server, which several requests share: a task sends and receives, and passes each message to the
//! request to which it belongs.

use std::{sync::Arc, time::Duration};

use http::HeaderName;
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use tokio::{
    sync::{
        mpsc::{self, UnboundedReceiver, UnboundedSender},
        oneshot,
    },
    time::sleep,
};

use super::{
    inbox::{Incoming, RequestInbox},
    routes::{RequestTakes, Routes},
};
use crate::{
    serve::{
        client::{ProtocolError, WrittenClient, response},
        remote::transport::{ReceiveError, TransferError, Transport},
    },
    wire::protocol::revision::Revision,
};

/// How long a dropped connection can take for what was sent before, such as a cancellation, and for its end.
const ENDING: Duration = Duration::from_secs(5);

/// An open connection. Dropping it closes the connection, after what was sent before has left.
pub(super) struct RemoteConnection {
    outgoing: UnboundedSender<OutgoingMessage>,
    routes: Arc<Routes>,
    /// Tells the task that the connection was dropped.
    _owned: oneshot::Sender<()>,
}

/// A request that was sent. Dropping it before its reply cancels the request.
pub(super) struct SentRequest {
    connection: Arc<RemoteConnection>,
    profile: Arc<WrittenClient>,
    id: u64,
    inbox: Arc<RequestInbox>,
}

enum OutgoingMessage {
    /// A request with this id, and the arguments that it repeats in HTTP headers.
    Request(u64, String, Vec<(HeaderName, String)>),
    Message(String),
    /// The handshake has chosen this revision.
    Negotiated(Revision),
    /// Cancels the request with this id. The text is the notification for servers that need one.
    Cancel(u64, String),
}

impl RemoteConnection {
    /// Begins to receive.
    pub(super) fn open(transport: Box<dyn Transport>) -> Arc<Self> {
        let (outgoing, messages) = mpsc::unbounded_channel();
        let routes = Arc::<Routes>::default();
        let running = run(transport, messages, Arc::clone(&routes));
        let (_owned, owner) = oneshot::channel::<()>();
        tokio::spawn(async {
            let ending = async {
                let _ = owner.await;
                sleep(ENDING).await;
            };
            tokio::select! {
                () = running => {}
                // The server reads nothing.
                () = ending => {}
            }
        });
        Arc::new(Self { outgoing, routes, _owned })
    }

    /// Sends a request. `write` writes its text with the id that it gets. `headers` are the arguments that it repeats in HTTP
    /// headers.
    pub(super) fn send(
        self: &Arc<Self>,
        profile: &Arc<WrittenClient>,
        takes: RequestTakes,
        headers: Vec<(HeaderName, String)>,
        write: impl FnOnce(u64) -> serde_json::Result<String>,
    ) -> serde_json::Result<SentRequest> {
        let id = self.routes.next_id();
        let text = write(id)?;
        let inbox = self.routes.add(id, takes);
        let request = SentRequest { connection: Arc::clone(self), profile: Arc::clone(profile), id, inbox };
        // If the connection has ended, the reply says so.
        let _ = self.outgoing.send(OutgoingMessage::Request(id, text, headers));
        self.routes.check();
        Ok(request)
    }

    /// Sends a notification, or a response.
    pub(super) fn tell(&self, message: &impl Serialize) {
        // A connection that has ended needs no message.
        let _ = self.outgoing.send(OutgoingMessage::Message(serde_json::to_string(message).unwrap_or_default()));
    }

    /// Sets the function that is called with each notification that belongs to no request: its method and its params.
    pub(super) fn on_change(&self, changed: impl Fn(&str, &Value) + Send + Sync + 'static) {
        // A connection has one owner, who sets it once.
        let _ = self.routes.changed.set(Box::new(changed));
    }

    /// Says which revision the handshake has chosen.
    pub(super) fn negotiated(&self, revision: Revision) {
        let _ = self.outgoing.send(OutgoingMessage::Negotiated(revision));
    }

    pub(super) fn has_ended(&self) -> bool {
        self.routes.has_ended() || self.outgoing.is_closed()
    }
}

impl SentRequest {
    /// Waits for what comes next. Cancel-safe.
    pub(super) async fn next(&self) -> Incoming {
        self.inbox.next().await
    }

    /// Waits for the reply to a request about which nobody is told anything else.
    pub(super) async fn reply(&self) -> Result<Result<Box<RawValue>, ProtocolError>, TransferError> {
        loop {
            match self.next().await {
                Incoming::Reply(reply) => return Ok(reply),
                Incoming::Broken(failure) => return Err(failure),
                Incoming::Notification(_) | Incoming::Question(..) => {}
            }
        }
    }

    /// Answers a question of this request. `answer` is `result` or `error` with its value.
    pub(super) fn answer(&self, id: &Value, answer: (&str, Value)) {
        self.connection.tell(&response(id, answer));
    }
}

impl Drop for SentRequest {
    fn drop(&mut self) {
        if !self.connection.routes.remove(self.id) {
            return;
        }
        let cancellation = self.profile.cancellation(self.id, "the caller does not wait any more");
        let text = serde_json::to_string(&cancellation).unwrap_or_default();
        // A connection that has ended needs no cancellation.
        let _ = self.connection.outgoing.send(OutgoingMessage::Cancel(self.id, text));
    }
}

/// Sends and receives until the connection ends.
async fn run(mut transport: Box<dyn Transport>, mut outgoing: UnboundedReceiver<OutgoingMessage>, routes: Arc<Routes>) {
    let reason = loop {
        tokio::select! {
            message = outgoing.recv() => {
                let sent = match message {
                    Some(OutgoingMessage::Request(id, text, headers)) => {
                        let sent = transport.send_with_headers(&text, &headers).await;
                        // The request has not left, and the connection may still be good for others.
                        if let Err(error @ (TransferError::Unreachable(_) | TransferError::Settings(_))) = &sent {
                            routes.fail(id, error.clone());
                        }
                        sent
                    }
                    None => break TransferError::Broken("the connection was closed".to_owned()),
                    Some(OutgoingMessage::Negotiated(revision)) => {
                        transport.negotiated(revision);
                        Ok(())
                    }
                    Some(OutgoingMessage::Cancel(id, _)) if transport.cancel(id) => Ok(()),
                    Some(OutgoingMessage::Message(text) | OutgoingMessage::Cancel(_, text)) => transport.send(&text).await,
                };
                if let Err(failure) = sent {
                    break failure;
                }
            }
            received = transport.receive() => match received {
                Ok(received) => {
                    if let Some(answer) = routes.pass(received)
                        && let Err(failure) = transport.send(&answer).await
                    {
                        break failure;
                    }
                }
                Err(ReceiveError { request: Some(id), error }) => routes.fail(id, error),
                Err(ReceiveError { request: None, error }) => break error,
            },
        }
    };
    routes.end(reason);
    transport.close().await;
}
