//! Calls of a [`ServiceClient`], from their first request to their result.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value, value::RawValue};
use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::JoinHandle,
};

use super::{
    message::{InputRequired, ProtocolError, ServerMessage, ServerNotification},
    profile::{ClientMessage, ClientProfile, response},
    question::Question,
    request::{ClientRequest, RoundInput},
    service_client::ServiceClient,
};
use crate::{
    engine::call::request::Peer,
    serve::transport::MemorySink,
    wire::protocol::{error::USER_REJECTED, frame::Frame, json::object},
};

/// Answers the questions of a call, and sees its notifications.
pub(crate) trait AnswersQuestions {
    /// The reason why a question ends the call.
    type Stop;

    /// Returns the result for this question, for example an `ElicitResult`. `None` leaves the question without an
    /// answer, and the call continues.
    ///
    /// # Errors
    /// An error ends the call.
    fn answer(&mut self, question: &Question) -> impl Future<Output = Result<Option<Value>, Self::Stop>>;

    fn notice(&mut self, notification: ServerNotification);
}

/// The reason why a request has no result.
#[derive(Debug)]
pub(crate) enum RequestFailure<S> {
    /// The server has answered with a JSON-RPC error.
    Refused(ProtocolError),
    /// A question has stopped the call.
    Stopped(S),
    /// The server sent an invalid message.
    Unreadable(serde_json::Error),
    /// The runtime of the service has ended.
    Lost,
}

impl ServiceClient {
    /// Makes a request and answers its questions until it has a result. Dropping the future cancels the request.
    ///
    /// The server handles messages on its own runtime, so a tool that blocks its thread does not block the caller.
    ///
    /// # Errors
    /// Fails if the request has no result.
    pub(crate) async fn call<A: AnswersQuestions>(
        self: &Arc<Self>,
        request: &ClientRequest,
        answers: &mut A,
    ) -> Result<Box<RawValue>, RequestFailure<A::Stop>> {
        if !self.profile.revision.is_modern() {
            self.handshake.get_or_try_init(async || self.shake_hands(answers).await).await?;
        }
        let mut input = RoundInput::default();
        loop {
            let id = self.next_id();
            let result = self.exchange(id, &self.profile.round(id, request, &input), answers).await?;
            let read = InputRequired::read(&*result).map_err(RequestFailure::Unreadable)?;
            let Some(InputRequired { questions, state }) = read else { return Ok(result) };
            let mut responses = Map::new();
            for question in &questions {
                let answer = answers.answer(question).await.map_err(RequestFailure::Stopped)?;
                responses.extend(answer.map(|answer| (question.key.clone(), answer)));
            }
            // A round without questions continues too, because the server counts the rounds.
            let input_responses = (!questions.is_empty()).then_some(responses);
            input = RoundInput { input_responses, request_state: state, idempotency_key: None };
        }
    }

    /// Begins a session.
    async fn shake_hands<A: AnswersQuestions>(
        self: &Arc<Self>,
        answers: &mut A,
    ) -> Result<(), RequestFailure<A::Stop>> {
        let id = self.next_id();
        let hello = self.profile.request(id, "initialize", self.profile.handshake());
        self.exchange(id, &hello, answers).await?;
        // Fails only if the runtime has ended, and then the next request fails too.
        let _ = self.pass_on(ClientProfile::initialized().to_json(), self.peer().0).await;
        if let Some(level) = self.profile.log_level {
            let id = self.next_id();
            let level = object([("level", level.as_str().into())]);
            self.exchange(id, &self.profile.request(id, "logging/setLevel", level), answers).await?;
        }
        Ok(())
    }

    /// Sends a request and waits for its result. Answers the questions that the server asks meanwhile, as it does
    /// before 2026-07-28.
    async fn exchange<A: AnswersQuestions>(
        self: &Arc<Self>,
        id: u64,
        message: &ClientMessage<'_, impl Serialize>,
        answers: &mut A,
    ) -> Result<Box<RawValue>, RequestFailure<A::Stop>> {
        let (peer, messages) = self.peer();
        let sent = self.pass_on(message.to_json(), peer);
        let mut open = OpenRequest { client: self, id, messages, sent: Some(sent) };
        while let Some(frame) = open.messages.recv().await {
            match ServerMessage::of(&frame).map_err(RequestFailure::Unreadable)? {
                ServerMessage::Notification(notification) => answers.notice(notification),
                ServerMessage::Request { id, method, params } => {
                    let question = Question::new(id.to_string(), method, params);
                    let answer = answers.answer(&question).await.map_err(RequestFailure::Stopped)?;
                    let member = answer.map_or_else(|| ("error", no_answer()), |answer| ("result", answer));
                    self.pass_on(response(&id, member).to_string(), self.peer().0);
                }
                ServerMessage::Response { reply, .. } => {
                    open.sent = None;
                    return reply.map_err(RequestFailure::Refused);
                }
            }
        }
        Err(RequestFailure::Lost)
    }

    /// Returns a peer for one request, and the messages that the server sends to it.
    fn peer(&self) -> (Peer, UnboundedReceiver<Frame>) {
        let (sender, messages) = unbounded_channel();
        (Peer::new(Arc::new(MemorySink(sender)), None), messages)
    }

    /// Passes a message to the server on the runtime of the service.
    fn pass_on(self: &Arc<Self>, text: String, peer: Peer) -> JoinHandle<()> {
        let client = Arc::clone(self);
        self.runtime.spawn(async move { client.deliver(&peer, &text) })
    }
}

/// A request in flight. Dropping it cancels the request.
struct OpenRequest<'a> {
    client: &'a Arc<ServiceClient>,
    id: u64,
    messages: UnboundedReceiver<Frame>,
    /// The task that sends the request. `None` if the request has its response.
    sent: Option<JoinHandle<()>>,
}

impl Drop for OpenRequest<'_> {
    fn drop(&mut self) {
        let Some(sent) = self.sent.take() else { return };
        let (client, id) = (Arc::clone(self.client), self.id);
        self.client.runtime.spawn(async move {
            // The cancellation must not arrive before the request.
            let _ = sent.await;
            client.cancel(id, "the caller has dropped the call");
        });
    }
}

/// The error that answers a question without an answer.
fn no_answer() -> Value {
    object([("code", USER_REJECTED.into()), ("message", "the client has no answer".into())])
}
