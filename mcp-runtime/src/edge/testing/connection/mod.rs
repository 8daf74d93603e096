//! An open connection to the server.

pub(crate) mod fault;
pub(crate) mod limit;
pub(crate) mod target;

use std::{collections::VecDeque, future::poll_fn, pin::pin, task::Poll, time::Duration};

use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use self::{fault::Fault, limit::RealTimeLimit, target::Target};
use super::{
    observed::{
        notice::Notice,
        transcript::{Side, Transcript},
    },
    script::request::Misfit,
};
use crate::{
    engine::call::Principal,
    serve::{
        client::{ClientProfile, ClientRequest, RoundInput, ServerMessage, response},
        remote::transport::Transport,
    },
};

/// The settings of a client. They decide what the client declares and requests.
#[derive(Clone, Debug)]
pub(crate) struct ClientSettings {
    pub(crate) profile: ClientProfile,
    pub(crate) limit: Duration,
    pub(crate) trouble: Option<Fault>,
    pub(crate) principal: Option<Principal>,
}

/// The client's end of a connection.
pub(crate) struct ClientConnection {
    pub(crate) transport: Box<dyn Transport>,
    profile: ClientProfile,
    /// The time limit of the request in progress.
    pub(crate) limit: RealTimeLimit,
    pub(crate) transcript: Transcript,
    pub(crate) opened: bool,
    /// The capabilities that the server has declared in the handshake.
    pub(crate) server_capabilities: Value,
    pub(crate) subscribed: Option<Subscribed>,
    /// The notices that the test has not read.
    pub(crate) notices: VecDeque<Notice>,
    last_id: u64,
}

/// The subscription of a client.
#[derive(Debug)]
pub(crate) struct Subscribed {
    /// The id of the `subscriptions/listen` request. `None` in a session.
    pub(crate) id: Option<u64>,
    pub(crate) wanted: Vec<Notice>,
}

impl ClientConnection {
    /// # Errors
    /// Fails if the server cannot be reached.
    pub(crate) fn new(target: &dyn Target, settings: &ClientSettings) -> Result<Self, Misfit> {
        let transport = target.connect(settings).map_err(Misfit::Server)?;
        Ok(Self {
            transport,
            profile: settings.profile.clone(),
            limit: RealTimeLimit::start(settings.limit),
            transcript: Transcript::default(),
            opened: false,
            server_capabilities: Value::Null,
            subscribed: None,
            notices: VecDeque::new(),
            last_id: 0,
        })
    }

    /// Sends a request whose params have these members. Returns the id of the request.
    pub(crate) async fn request(&mut self, method: &str, members: Value) -> Result<u64, Misfit> {
        self.last_id += 1;
        let message = written(&self.profile.request(self.last_id, method, members));
        self.send(message).await?;
        Ok(self.last_id)
    }

    /// Sends the request of one round of a call. Returns the id of the request.
    pub(crate) async fn round(&mut self, request: &ClientRequest, input: &RoundInput) -> Result<u64, Misfit> {
        self.last_id += 1;
        let message = written(&self.profile.round(self.last_id, request, input));
        self.send(message).await?;
        Ok(self.last_id)
    }

    /// Connects to another instance, or to the same instance again. Requests in flight lose their connection.
    ///
    /// # Errors
    /// Fails if the server cannot be reached.
    pub(crate) fn turn_to(&mut self, target: &dyn Target, settings: &ClientSettings) -> Result<(), Misfit> {
        self.transport = target.connect(settings).map_err(Misfit::Server)?;
        Ok(())
    }

    /// Tells the server that the handshake is complete.
    pub(crate) async fn initialized(&mut self) -> Result<(), Misfit> {
        self.send(written(&ClientProfile::initialized())).await
    }

    /// Cancels a request, either by a message or by closing the request's stream. Returns whether a message was sent.
    pub(crate) async fn cancel(&mut self, request: u64) -> Result<bool, Misfit> {
        if self.transport.cancel(request) {
            return Ok(false);
        }
        let message = written(&self.profile.cancellation(request, "cancelled by the script"));
        self.send(message).await?;
        Ok(true)
    }

    /// Answers a request of the server. `member` is `result` or `error`, and `value` is the value of that member.
    pub(crate) async fn respond(&mut self, id: &Value, answer: (&str, Value)) -> Result<(), Misfit> {
        self.send(written(&response(id, answer))).await
    }

    /// Waits for the next message until the time `until`. Returns `None` if no message arrives by then.
    pub(crate) async fn receive(&mut self, until: Option<Instant>) -> Result<Option<ServerMessage>, Misfit> {
        let received = self.limit.within(until, self.transport.receive()).await?;
        received.map(|received| self.take_in(received.map_err(|error| Misfit::Server(error.into()))?.text)).transpose()
    }

    /// Returns the next message if it has already arrived. Does not yield to other tasks.
    pub(crate) async fn receive_now(&mut self) -> Result<Option<ServerMessage>, Misfit> {
        let received = {
            let mut receiving = pin!(self.transport.receive());
            poll_fn(|cx| match receiving.as_mut().poll(cx) {
                Poll::Ready(received) => Poll::Ready(Some(received)),
                Poll::Pending => Poll::Ready(None),
            })
            .await
        };
        received.map(|received| self.take_in(received.map_err(|error| Misfit::Server(error.into()))?.text)).transpose()
    }

    fn take_in(&mut self, text: String) -> Result<ServerMessage, Misfit> {
        let read = ServerMessage::read(text.as_bytes());
        let read = read.map_err(|error| {
            let shown: String = text.chars().take(80).collect();
            Misfit::Server(match error.is_data() {
                true => format!("the server sent `{shown}`, which is not a valid message: {error}"),
                false => format!(
                    "the server sent a line that is not JSON, `{shown}`; write only messages to standard output"
                ),
            })
        });
        self.transcript.push(Side::Server, text);
        read
    }

    async fn send(&mut self, text: String) -> Result<(), Misfit> {
        let sent = self.limit.within(None, self.transport.send(&text)).await;
        self.transcript.push(Side::Client, text);
        sent?.unwrap_or(Ok(())).map_err(|error| Misfit::Server(error.into()))
    }
}

/// Returns a message of the client as JSON text. Every message can be written.
fn written(message: &impl Serialize) -> String {
    serde_json::to_string(message).unwrap_or_default()
}
