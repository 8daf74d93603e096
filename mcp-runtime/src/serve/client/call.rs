//! Calls of a [`ServiceClient`], from their first request to their result.

use std::sync::Arc;

use serde_json::{Map, Value, value::RawValue};
use tokio::{
    sync::mpsc::{UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

use super::{
    message::{Log, ProtocolError, Report, ServerNotification},
    question::Question,
    reply::ClientReply,
    request::{ClientRequest, RoundInput},
    service_client::ServiceClient,
};
use crate::{
    engine::call::{MessageSink, Principal, body::Body, message_sink::ProgressReport},
    serve::server::reply_to::TakesReply,
    wire::protocol::{frame::Frame, level::Level},
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
    /// The server handles requests on its own runtime, so a tool that blocks its thread does not block the caller.
    ///
    /// # Errors
    /// Fails if the request has no result.
    pub(crate) async fn call<A: AnswersQuestions>(
        self: &Arc<Self>,
        request: &ClientRequest,
        answers: &mut A,
    ) -> Result<Box<RawValue>, RequestFailure<A::Stop>> {
        let mut input = RoundInput::default();
        loop {
            let (asked, state) = match self.exchange(request.clone(), input, None, answers).await? {
                ClientReply::Result(result) => return result.into_json().map_err(RequestFailure::Unreadable),
                ClientReply::Refused(error, _) => return Err(RequestFailure::Refused(error)),
                ClientReply::Asks(asked, state) => (asked, state),
            };
            // A round without questions continues too, because the server counts the rounds.
            let mut responses = (!asked.is_empty()).then(Map::new);
            for question in asked.into_iter().map(Question::from) {
                let answer = answers.answer(&question).await.map_err(RequestFailure::Stopped)?;
                responses.get_or_insert_default().extend(answer.map(|answer| (question.key, answer)));
            }
            input = RoundInput { input_responses: responses, request_state: state, ..RoundInput::default() };
        }
    }

    /// Sends a request of this principal and waits for its reply. Dropping the future cancels the request.
    ///
    /// # Errors
    /// Fails if the request has no reply, or one that is invalid.
    pub(crate) async fn exchange<A: AnswersQuestions>(
        self: &Arc<Self>,
        request: ClientRequest,
        input: RoundInput,
        principal: Option<Principal>,
        answers: &mut A,
    ) -> Result<ClientReply, RequestFailure<A::Stop>> {
        let (sender, mut messages) = unbounded_channel();
        let (client, id) = (Arc::clone(self), self.next_id());
        let sent = self.runtime.spawn(async move {
            if let Some(loading) = client.loading(request.method()) {
                loading.await;
            }
            let members = request.members(&input);
            client.send(&Arc::new(MessageSender(sender)), principal, id, request.method(), &members.params());
        });
        let mut open = OpenRequest { client: self, id, sent: Some(sent) };
        while let Some(message) = messages.recv().await {
            match message {
                ServerOutput::Notification(notification) => answers.notice(notification),
                ServerOutput::Reply(reply) => {
                    open.sent = None;
                    return reply.map_err(RequestFailure::Unreadable);
                }
            }
        }
        Err(RequestFailure::Lost)
    }
}

/// What the server sends about one request.
enum ServerOutput {
    Notification(ServerNotification),
    Reply(serde_json::Result<ClientReply>),
}

/// Passes on what the server sends about one request. Sending fails only if the caller does not wait any more.
struct MessageSender(UnboundedSender<ServerOutput>);

impl MessageSink for MessageSender {
    fn send(&self, frame: Frame) {
        if let Some(reply) = ClientReply::of_frame(&frame).transpose() {
            let _ = self.0.send(ServerOutput::Reply(reply));
        }
    }

    fn log(&self, level: Level, logger: &str, data: &[u8]) {
        let data = serde_json::from_slice(data).unwrap_or_default();
        let log = Log { level, logger: Some(logger.to_owned()), data };
        let _ = self.0.send(ServerOutput::Notification(ServerNotification::Log(log)));
    }

    fn progress(&self, report: &ProgressReport<'_>) {
        let &ProgressReport { value: progress, total, message, .. } = report;
        let report = Report { progress, total, message: message.map(str::to_owned) };
        let _ = self.0.send(ServerOutput::Notification(ServerNotification::Progress(report)));
    }
}

impl TakesReply for MessageSender {
    fn take(&self, body: Body) {
        let _ = self.0.send(ServerOutput::Reply(ClientReply::of(body)));
    }
}

/// A request in flight. Dropping it cancels the request.
struct OpenRequest<'a> {
    client: &'a Arc<ServiceClient>,
    id: u64,
    /// The task that sends the request. `None` if the request has its reply.
    sent: Option<JoinHandle<()>>,
}

impl Drop for OpenRequest<'_> {
    fn drop(&mut self) {
        let Some(sent) = self.sent.take() else { return };
        let (client, id) = (Arc::clone(self.client), self.id);
        self.client.runtime.spawn(async move {
            // The cancellation must not arrive before the request.
            let _ = sent.await;
            client.cancel(id);
        });
    }
}
