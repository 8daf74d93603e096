//! Runs one scripted call. The client sends the call's requests and answers its questions. Requests for prompts,
//! resources and completions run as such calls too.

use std::time::Duration;

mod cancelling;
mod outputs;
mod rehearsals;
mod rounds;
mod subscribing;

use serde_json::{Value, json, value::RawValue};
use tokio::time::Instant;

pub(super) use self::subscribing::{Subscribed, next_notice, subscribe, unsubscribe};
use self::{cancelling::Cancelling, outputs::checked_output};
use super::{
    client::{Client, ClientSettings},
    compare::CallAnswer,
    connection::ClientConnection,
    limit::RealTimeLimit,
    mode_comparison::{Called, Misfit, Trial},
    outcome::Outcome,
    reply::ResponseMember,
    request::ScriptedRequest,
    script::{Script, ScriptStep},
    transcript::Transcript,
};
use crate::serve::client::{
    ClientRequest, Log, ProtocolError, Question, Report, RoundInput, ServerMessage, ServerNotification,
};

/// The state of a request in progress. The request is a tool call, or another request such as `tools/list`.
struct Course<'a> {
    client: &'a Client,
    settings: &'a ClientSettings,
    connection: ClientConnection,
    limit: RealTimeLimit,
    script: Script,
    /// Answers that the script delays and that are not sent yet.
    due: Vec<Due>,
    asked: Vec<Question>,
    logs: Vec<Log>,
    progress: Vec<Report>,
    rounds: usize,
    cancelling: Cancelling,
}

/// An answer to the server's request `id`. The client sends it at the time `at`.
struct Due {
    at: Instant,
    id: Value,
    answer: ResponseMember,
}

/// Makes a scripted request, for example a tool call. The error is the message with which the test panics.
pub(super) async fn run(client: &mut Client, request: ScriptedRequest, script: Script) -> Result<Outcome, String> {
    let place = client.trial.as_ref().map(Trial::begin_call);
    // Discards the counts of earlier calls. Such a call may have continued after its client was gone.
    drop(client.take_runs());
    let mut course = match Course::begin(client, script) {
        Ok(course) => course,
        Err(misfit) => return Err(request.misfit(&misfit, None, &Transcript::default(), None)),
    };
    let all = course.connection.transcript.len();
    let ended = course.call(&request).await;
    let Course { connection, asked, logs, progress, rounds, cancelling, .. } = course;
    let cancelled = cancelling.done;
    let start = ended.as_ref().map_or(all, |(_, start)| *start);
    let transcript = connection.transcript.since(start);
    let ended = ended.and_then(|(answer, _)| checked_output(client, &request.target, answer));
    if let (Some(trial), Some(place)) = (&client.trial, place) {
        trial.end_call(
            place,
            Called {
                target: request.target.clone(),
                at: request.at,
                varies: request.varies,
                revision: client.settings.profile.revision,
                ended: ended.clone(),
                asked: asked.clone(),
                runs: client.take_runs(),
                rounds,
                replayable: client.is_replayable(&request.target),
                requires: client.requires(&request.target),
                transcript: transcript.clone(),
            },
        )?;
    }
    match ended {
        Ok(answer) => {
            client.connection = Some(connection);
            let revision = client.settings.profile.revision;
            Ok(Outcome { answer, cancelled, asked, rounds, revision, transcript, logs, progress })
        }
        Err(misfit) => {
            let (mode, errors) = (client.trial.as_ref().map(Trial::mode), connection.kill().await);
            Err(request.misfit(&misfit, mode, &transcript, errors.as_deref()))
        }
    }
}

/// Returns all items of a list, from all pages. `method` is the method that lists the items, and `member` is the member
/// of its result that contains the items. The error is the message with which the test panics.
pub(super) async fn list(client: &mut Client, method: &'static str, member: &str) -> Result<Vec<Value>, String> {
    let mut course = Course::begin(client, Script::default()).map_err(|misfit| misfit.to_string())?;
    let items = course.list(method, member).await;
    let items = items.map_err(|misfit| format!("{misfit}\n\nmessages:\n{}", course.connection.transcript))?;
    client.connection = Some(course.connection);
    Ok(items)
}

impl<'a> Course<'a> {
    fn begin(client: &'a mut Client, script: Script) -> Result<Self, Misfit> {
        let connection = match client.connection.take() {
            Some(connection) => connection,
            None => ClientConnection::new(&*client.server, &client.settings)?,
        };
        let client = &*client;
        Ok(Self {
            client,
            settings: &client.settings,
            connection,
            limit: RealTimeLimit::start(client.settings.limit),
            script,
            due: Vec::new(),
            asked: Vec::new(),
            logs: Vec::new(),
            progress: Vec::new(),
            rounds: 0,
            cancelling: Cancelling::default(),
        })
    }

    /// Sends the request. Returns its result, and the number of messages in the transcript before the call.
    async fn call(&mut self, request: &ScriptedRequest) -> Result<(CallAnswer, usize), Misfit> {
        self.open().await?;
        let start = self.connection.transcript.len();
        self.begin_to_watch();
        let answer = match self.rounds(request).await {
            Err(Misfit::Cancelled) => self.cancel().await?,
            ended => ended?,
        };
        match &self.script.rest()[..] {
            [] => self.not_missed().map(|()| (answer, start)),
            rest => Err(format!("the call did not ask for these answers:\n  {}", rest.join("\n  ")).into()),
        }
    }

    async fn list(&mut self, method: &'static str, member: &str) -> Result<Vec<Value>, Misfit> {
        self.open().await?;
        let mut items = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let answer = self.round(&ClientRequest::List { method, cursor }, &RoundInput::default()).await?;
            let mut page = answer.map_err(|error| format!("`{method}` failed: {}", error.message))?;
            if let Value::Array(listed) = page[member].take() {
                items.extend(listed);
            }
            cursor = page["nextCursor"].take();
            if cursor.is_null() {
                return Ok(items);
            }
        }
    }

    /// Performs the handshake, if the revision has one and it was not done yet.
    async fn open(&mut self) -> Result<(), Misfit> {
        let profile = &self.settings.profile;
        if profile.revision.is_modern() || self.connection.opened {
            return Ok(());
        }
        self.connection.server_capabilities =
            self.request_in_session("initialize", profile.handshake()).await?["capabilities"].take();
        self.connection.initialized(&self.limit).await?;
        if let Some(level) = profile.log_level {
            self.request_in_session("logging/setLevel", json!({ "level": level.as_str() })).await?;
        }
        self.connection.opened = true;
        Ok(())
    }

    async fn request_in_session(&mut self, method: &str, params: Value) -> Result<Value, Misfit> {
        let answer = self.request(method, params).await?;
        Ok(answer.map_err(|error| format!("`{method}` failed: {}", error.message))?)
    }

    async fn request(&mut self, method: &str, params: Value) -> Result<CallAnswer, Misfit> {
        let id = self.connection.request(method, params, self.settings, &self.limit).await?;
        let [answer] = self.responses([id]).await?;
        Ok(answer)
    }

    /// Sends the request of one round.
    async fn send_round(&mut self, request: &ClientRequest, input: &RoundInput) -> Result<u64, Misfit> {
        self.connection.round(request, input, self.settings, &self.limit).await
    }

    /// Sends the request of one round, and waits for its response.
    async fn round(&mut self, request: &ClientRequest, input: &RoundInput) -> Result<CallAnswer, Misfit> {
        let id = self.send_round(request, input).await?;
        let [answer] = self.responses([id]).await?;
        Ok(answer)
    }

    /// Waits for the responses to these requests. Handles other messages while it waits.
    async fn responses<const N: usize>(&mut self, ids: [u64; N]) -> Result<[CallAnswer; N], Misfit> {
        self.cancelling.in_flight = ids.to_vec();
        let mut answers = ids.map(Err);
        while answers.iter().any(Result::is_err) {
            let until = self.due.iter().map(|due| due.at).chain(self.cancelling.at).min();
            match self.connection.receive(until, &self.limit).await? {
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
    async fn response_if_arrived(&mut self, request: u64) -> Result<Option<CallAnswer>, Misfit> {
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
    async fn answer_request(&mut self, id: Value, method: String, params: Value) -> Result<(), Misfit> {
        let revision = self.settings.profile.revision;
        if revision.is_modern() {
            return Err(format!("the server sent a request, but {revision} does not allow that").into());
        }
        if method == "ping" {
            return self.connection.respond(&id, ("result", json!({})), &self.limit).await;
        }
        let key = self.connection.key(&id).unwrap_or_else(|| id.to_string());
        let (answer, after) = self.answer(&Question::new(key, method, params))?;
        self.limit.extend(after);
        self.due.extend(answer.map(|answer| Due { at: Instant::now() + after, id, answer }));
        self.send_due_answers().await
    }

    async fn send_due_answers(&mut self) -> Result<(), Misfit> {
        let now = Instant::now();
        for due in self.due.extract_if(.., |due| due.at <= now) {
            self.connection.respond(&due.id, due.answer, &self.limit).await?;
        }
        Ok(())
    }

    /// Returns the script's answer to a question, or `None` if the client does not answer. Also returns the delay of
    /// the answer.
    fn answer(&mut self, question: &Question) -> Result<(Option<ResponseMember>, Duration), Misfit> {
        self.asked.push(question.clone());
        let Some(ScriptStep { reply, at }) = self.script.take(question) else {
            let advice = question.possible_answers();
            return Err(format!("the question {question} has no answer in the script; add {advice}").into());
        };
        if reply.cancels_call() {
            self.cancelling.delay = reply.delay();
            return Err(Misfit::Cancelled);
        }
        let answer = reply
            .to(question)
            .map_err(|reason| format!("{reply} ({at}) does not answer the question {question}, which {reason}"))?;
        Ok((answer, reply.delay()))
    }

    /// Records a notification.
    fn note(&mut self, notification: ServerNotification) {
        match notification {
            ServerNotification::Log(log) => self.logs.push(log),
            ServerNotification::Progress(report) => self.progress.push(report),
            ServerNotification::Other { method, params } if method == "notifications/cancelled" => {
                self.due.retain(|due| due.id != params["requestId"]);
            }
            ServerNotification::Other { method, params } => self.note_change(&method, &params),
        }
    }
}

/// Returns the result or the error of a response.
fn read(reply: Result<Box<RawValue>, ProtocolError>) -> Result<CallAnswer, Misfit> {
    let result = reply.map(|result| serde_json::from_str(result.get()));
    let result = match result {
        Ok(result) => Ok(result.map_err(|error| format!("the result of the response cannot be read: {error}"))?),
        Err(error) => Err(error),
    };
    Ok(result)
}
