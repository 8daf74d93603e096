//! The state of a request in progress, and the messages of any request.

use std::time::Duration;

use serde_json::{Value, json, value::RawValue};
use tokio::time::Instant;

use super::cancelling::Cancelling;
use crate::{
    edge::testing::{
        client::Client,
        compare::CallAnswer,
        connection::{ClientConnection, ClientSettings, Subscribed, limit::RealTimeLimit},
        observed::notice::Notice,
        script::{
            Script, ScriptStep,
            reply::{PlannedReply, ResponseMember},
            request::Misfit,
        },
    },
    serve::client::{
        ClientRequest, Log, ProtocolError, Question, Report, RoundInput, ServerMessage, ServerNotification,
    },
};

/// The meta member with the id of the subscription that a notice belongs to (since 2026-07-28).
pub(super) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The state of a request in progress. The request is a tool call, or another request such as `tools/list`.
pub(crate) struct Course<'a> {
    pub(super) client: &'a Client,
    pub(super) settings: &'a ClientSettings,
    pub(super) connection: ClientConnection,
    pub(super) script: Script,
    /// Answers that the script delays and that are not sent yet.
    pub(super) due: Vec<Due>,
    pub(super) asked: Vec<Question>,
    pub(super) logs: Vec<Log>,
    pub(super) progress: Vec<Report>,
    pub(super) rounds: usize,
    pub(super) cancelling: Cancelling,
}

/// An answer to the server's request `id`. The client sends it at the time `at`.
pub(super) struct Due {
    at: Instant,
    id: Value,
    answer: ResponseMember,
}

impl<'a> Course<'a> {
    pub(super) fn begin(client: &'a mut Client, script: Script) -> Result<Self, Misfit> {
        let mut connection = match client.connection.take() {
            Some(connection) => connection,
            None => ClientConnection::new(&*client.server, &client.settings)?,
        };
        connection.limit = RealTimeLimit::start(client.settings.limit);
        let client = &*client;
        Ok(Self {
            client,
            settings: &client.settings,
            connection,
            script,
            due: Vec::new(),
            asked: Vec::new(),
            logs: Vec::new(),
            progress: Vec::new(),
            rounds: 0,
            cancelling: Cancelling::default(),
        })
    }

    /// Performs the handshake, if the revision has one and it was not done yet.
    pub(super) async fn open(&mut self) -> Result<(), Misfit> {
        let profile = &self.settings.profile;
        if profile.revision.is_modern() || self.connection.opened {
            return Ok(());
        }
        self.connection.server_capabilities =
            self.request_in_session("initialize", profile.handshake()).await?["capabilities"].take();
        self.connection.initialized().await?;
        if let Some(level) = profile.log_level {
            self.request_in_session("logging/setLevel", json!({ "level": level.as_str() })).await?;
        }
        self.connection.opened = true;
        Ok(())
    }

    pub(super) async fn request_in_session(&mut self, method: &str, params: Value) -> Result<Value, Misfit> {
        let answer = self.request(method, params).await?;
        Ok(answer.map_err(|error| format!("`{method}` failed: {}", error.message))?)
    }

    pub(super) async fn request(&mut self, method: &str, params: Value) -> Result<CallAnswer, Misfit> {
        let id = self.connection.request(method, params).await?;
        let [answer] = self.responses([id]).await?;
        Ok(answer)
    }

    /// Sends the request of one round, and waits for its response.
    pub(super) async fn round(&mut self, request: &ClientRequest, input: &RoundInput) -> Result<CallAnswer, Misfit> {
        let id = self.connection.round(request, input).await?;
        let [answer] = self.responses([id]).await?;
        Ok(answer)
    }

    /// Waits for the responses to these requests. Handles other messages while it waits.
    pub(super) async fn responses<const N: usize>(&mut self, ids: [u64; N]) -> Result<[CallAnswer; N], Misfit> {
        self.cancelling.in_flight = ids.to_vec();
        let mut answers = ids.map(Err);
        while answers.iter().any(Result::is_err) {
            let until = self.due.iter().map(|due| due.at).chain(self.cancelling.at).min();
            match self.connection.receive(until).await? {
                None => {
                    self.cancelling.time_is_up()?;
                    self.send_due_answers().await?;
                }
                // A notification that was already in transit when the call was cancelled appears only in the
                // transcript.
                Some(ServerMessage::Notification(_)) if self.cancelling.done => {}
                Some(ServerMessage::Notification(notification)) => {
                    let heard = self.cancelling.heard(&notification);
                    self.note(notification);
                    heard?;
                }
                Some(ServerMessage::Response { id, .. }) if self.cancelling.over.iter().any(|over| id == *over) => {}
                Some(ServerMessage::Request { id, method, params }) => self.answer_request(id, method, params).await?,
                Some(ServerMessage::Response { id, reply }) => {
                    let is_open = |answer: &&mut Result<_, u64>| answer.as_ref().is_err_and(|open| id == *open);
                    let Some(open) = answers.iter_mut().find(is_open) else {
                        return Err(format!("the server answered {id}, which is not an open request").into());
                    };
                    self.cancelling.in_flight.retain(|open| id != *open);
                    *open = Ok(read(reply)?);
                }
            }
        }
        Ok(answers.map(|answer| answer.expect("every response has arrived")))
    }

    /// Returns the response to this request if it has arrived.
    pub(super) async fn response_if_arrived(&mut self, request: u64) -> Result<Option<CallAnswer>, Misfit> {
        while let Some(message) = self.connection.receive_now().await? {
            match message {
                ServerMessage::Notification(notification) => self.note(notification),
                ServerMessage::Response { id, reply } if id == request => return read(reply).map(Some),
                ServerMessage::Request { .. } | ServerMessage::Response { .. } => {}
            }
        }
        Ok(None)
    }

    /// Answers a question that the server sent as a request. The server does this only before 2026-07-28.
    pub(super) async fn answer_request(&mut self, id: Value, method: String, params: Value) -> Result<(), Misfit> {
        let revision = self.settings.profile.revision;
        if revision.is_modern() {
            return Err(format!("the server sent a request, but {revision} does not allow that").into());
        }
        if method == "ping" {
            return self.connection.respond(&id, ("result", json!({}))).await;
        }
        let request = id.to_string();
        // The request itself contains no key.
        let key =
            self.connection.transport.memory().and_then(|client| client.question_key(&request)).unwrap_or(request);
        let (answer, after) = self.answer(&Question::new(key, method, params))?;
        self.connection.limit.extend(after);
        self.due.extend(answer.map(|answer| Due { at: Instant::now() + after, id, answer }));
        self.send_due_answers().await
    }

    async fn send_due_answers(&mut self) -> Result<(), Misfit> {
        let now = Instant::now();
        for due in self.due.extract_if(.., |due| due.at <= now) {
            self.connection.respond(&due.id, due.answer).await?;
        }
        Ok(())
    }

    /// Returns the script's answer to a question, or `None` if the client does not answer. Also returns the delay of
    /// the answer.
    pub(super) fn answer(&mut self, question: &Question) -> Result<(Option<ResponseMember>, Duration), Misfit> {
        self.asked.push(question.clone());
        let Some(ScriptStep { reply, at }) = self.script.take(question) else {
            let advice = question.possible_answers();
            return Err(format!("the question {question} has no answer in the script; add {advice}").into());
        };
        if reply.kind == PlannedReply::CancelCall {
            self.cancelling.delay = reply.after;
            return Err(Misfit::Cancelled);
        }
        let answer = reply
            .to(question)
            .map_err(|reason| format!("{reply} ({at}) does not answer the question {question}, which {reason}"))?;
        Ok((answer, reply.after))
    }

    /// Records a notification.
    pub(super) fn note(&mut self, notification: ServerNotification) {
        match notification {
            ServerNotification::Log(log) => self.logs.push(log),
            ServerNotification::Progress(report) => self.progress.push(report),
            ServerNotification::Other { method, params } if method == "notifications/cancelled" => {
                self.due.retain(|due| due.id != params["requestId"]);
            }
            ServerNotification::Other { method, params } => self.note_change(&method, &params),
        }
    }

    /// Stores the notice of this notification, if the notice belongs to the subscription.
    fn note_change(&mut self, method: &str, params: &Value) {
        let Some(Subscribed { id, wanted }) = &self.connection.subscribed else { return };
        let is_mine = id.is_none_or(|id| params["_meta"][SUBSCRIPTION_ID] == id);
        let notice = Notice::read(method, params).filter(|notice| is_mine && wanted.contains(notice));
        self.connection.notices.extend(notice);
    }
}

/// Returns the result or the error of a response.
fn read(reply: Result<Box<RawValue>, ProtocolError>) -> Result<CallAnswer, Misfit> {
    match reply.map(|result| serde_json::from_str(result.get())) {
        Ok(Ok(result)) => Ok(Ok(result)),
        Ok(Err(error)) => Err(format!("the result of the response cannot be read: {error}").into()),
        Err(error) => Ok(Err(error)),
    }
}
