//! One request to a server, from its sending to its reply or to a question of a session.

use std::{pin::pin, sync::Arc, time::Duration};

use memchr::memmem;
use serde_json::{Value, value::RawValue};
use tokio::{
    sync::OwnedSemaphorePermit,
    time::{Instant, timeout},
};

use super::{
    Remote,
    connect::{STARTING, ServerFacts, profile},
    connection::SentRequest,
    error::RemoteError,
    inbox::Incoming,
    links::{LeasedLink, SHORT_PAUSE},
    routes::RequestTakes,
    settings::ServerPlace,
    task::RemoteTask,
};
use crate::{
    base::mutex::Mutex,
    engine::call::{Principal, operation::Operation, passed_on::PassedOn},
    serve::{
        client::{
            AnswersQuestions, ClientReply, ClientRequest, InputRequired, Question, RequestFailure, RoundInput,
            ServerNotification, ServiceClient,
        },
        remote::transport::TransferError,
        server::Service,
    },
    wire::protocol::{capability::Capabilities, level::Level, revision::Revision},
};

/// For whom a request is sent.
#[derive(Clone, Default)]
pub(super) struct Sender {
    /// What its client can be asked.
    pub(super) abilities: Capabilities,
    /// The lowest level of log messages that it wants.
    pub(super) log_level: Option<Level>,
    pub(super) passed_on: PassedOn,
    /// The caller of a service in the same process.
    pub(super) principal: Option<Principal>,
    pub(super) is_remote: bool,
    /// The limit without a reply and without progress, if it differs from that of the remote.
    pub(super) timeout: Option<Duration>,
    /// Whether the request can run twice, so that it is sent again if its connection ends before the reply.
    pub(super) may_send_again: bool,
}

/// Sees the notifications of a request.
pub(super) trait Hears: Send + Sync {
    fn hear(&self, notification: ServerNotification);
}

/// A caller that wants no notifications.
pub(super) struct Deaf;

impl Hears for Deaf {
    fn hear(&self, _: ServerNotification) {}
}

/// What comes of a request.
pub(super) enum RequestOutcome {
    Result(Box<RawValue>),
    /// The questions that end a round, and the `requestState` that the next request must return (since 2026-07-28).
    Asks(Vec<Question>, Option<String>),
    /// A question of a session. The request stays open.
    Asking(Box<SessionCall>),
    /// The server goes on with the call in a task (since 2026-07-28).
    Task(RemoteTask),
}

/// A request in a session that waits for the answer to a question.
pub(super) struct SessionCall {
    pub(super) question: Question,
    id: Value,
    open: SentRequest,
    lease: LeasedLink,
    limits: RequestLimits,
    _permit: Arc<OwnedSemaphorePermit>,
}

#[derive(Clone)]
pub(super) struct RequestLimits {
    pub(super) server: String,
    pub(super) method: &'static str,
    pub(super) within: Duration,
}

impl Remote {
    /// Returns what the server says about itself. Connects if necessary.
    pub(super) async fn facts(&self) -> Result<Arc<ServerFacts>, RemoteError> {
        let limits = self.limits("server/discover");
        Ok(Arc::clone(&self.lease(Capabilities::NONE, None, false, &limits).await?.facts))
    }

    pub(super) fn limits(&self, method: &'static str) -> RequestLimits {
        RequestLimits { server: self.settings.name.clone(), method, within: self.settings.timeout }
    }

    /// Returns a connection, for a request of a client with these abilities. `follows_tasks` says whether the request can
    /// be answered with a task.
    pub(super) async fn lease(
        &self,
        abilities: Capabilities,
        level: Option<Level>,
        follows_tasks: bool,
        limits: &RequestLimits,
    ) -> Result<LeasedLink, RemoteError> {
        let Self { settings, live } = self;
        // A connection that begins has a limit of its own. This one is for those that wait for a session of others.
        let limit = if let ServerPlace::Process(_) = settings.target { STARTING } else { limits.within };
        let leased = timeout(
            limit.max(limits.within).saturating_mul(2).saturating_add(SHORT_PAUSE),
            live.links.lease(settings, &live.lists.changes, abilities, level, follows_tasks),
        )
        .await;
        let busy = || format!("all its {} sessions are in use; see `Remote::max_sessions`", settings.max_sessions);
        match leased.unwrap_or_else(|_| Err(TransferError::Unreachable(busy()))) {
            Ok(lease) => Ok(lease),
            Err(TransferError::Settings(reason)) => {
                Err(RemoteError::Settings { server: limits.server.clone(), reason })
            }
            // The request itself was not sent.
            Err(other) => Err(RemoteError::Unreachable { server: limits.server.clone(), reason: other.to_string() }),
        }
    }

    /// Sends a request, and waits until it has a reply or a question.
    pub(super) async fn send(
        &self,
        request: &ClientRequest,
        input: RoundInput,
        sender: Sender,
        hears: &dyn Hears,
    ) -> Result<RequestOutcome, RemoteError> {
        let Self { settings, live } = self;
        let input = RoundInput { passed_on: sender.passed_on.clone(), ..input };
        let limits = self.limits(request.method());
        let limits = RequestLimits { within: sender.timeout.unwrap_or(limits.within), ..limits };
        let permit = timeout(limits.within, Arc::clone(&live.requests).acquire_owned());
        let permit = permit.await.ok().and_then(Result::ok).ok_or_else(|| RemoteError::Busy {
            server: limits.server.clone(),
            limit: settings.max_requests,
            within: limits.within,
        })?;
        if let ServerPlace::Service(service) = &settings.target {
            return send_to_service(service, request, input, sender, hears, &limits).await;
        }
        let (headers, permit) = (self.headers_of(request).await, Arc::new(permit));
        let (mut left, mut lost) = (1, None);
        loop {
            let leased = self.lease(sender.abilities, sender.log_level, request.follows_tasks(), &limits).await;
            // After a lost reply, the error must say that the request may have run.
            let lease = leased.map_err(|error| lost.take().unwrap_or(error))?;
            let takes =
                RequestTakes { questions: lease.may_ask(), logs: sender.log_level.is_some(), is_handshake: false };
            let sent = lease
                .connection
                .send(&lease.profile, takes, headers.clone(), |id| Ok(lease.profile.round(id, request, &input)));
            let open = sent.map_err(|error| limits.arguments(&error))?;
            match wait(open, lease, limits.clone(), Arc::clone(&permit), hears).await {
                // The connection or the session has ended since the last request, and this one was not run.
                Err(RemoteError::Unreachable { .. }) if left > 0 => left -= 1,
                Err(error @ RemoteError::Lost { .. }) if left > 0 && sender.may_send_again => {
                    left -= 1;
                    lost = Some(error);
                }
                Err(error @ RemoteError::Unreachable { .. }) => return Err(lost.unwrap_or(error)),
                outcome => return outcome,
            }
        }
    }
}

impl SessionCall {
    /// Answers the question, and waits until the request has a reply or a further question. `answer` is `result` or
    /// `error` with its value.
    pub(super) async fn answer(self, answer: (&str, Value), hears: &dyn Hears) -> Result<RequestOutcome, RemoteError> {
        let Self { id, open, lease, limits, _permit: permit, .. } = self;
        open.answer(&id, answer);
        wait(open, lease, limits, permit, hears).await
    }
}

/// Waits until a request has a reply or a question. Progress renews the time limit.
async fn wait(
    open: SentRequest,
    mut lease: LeasedLink,
    limits: RequestLimits,
    permit: Arc<OwnedSemaphorePermit>,
    hears: &dyn Hears,
) -> Result<RequestOutcome, RemoteError> {
    loop {
        let incoming = timeout(limits.within, open.next()).await;
        match incoming.map_err(|_| limits.timeout())? {
            Incoming::Notification(notification) => hears.hear(notification),
            Incoming::Question(question, id) => {
                return Ok(RequestOutcome::Asking(Box::new(SessionCall {
                    question,
                    id,
                    open,
                    lease,
                    limits,
                    _permit: permit,
                })));
            }
            Incoming::Reply(reply) => {
                lease.keep();
                return limits.outcome(reply.map_err(|error| limits.refused(error))?);
            }
            Incoming::Broken(failure) => return Err(limits.failed(failure)),
        }
    }
}

/// Sends a request to a service in the same process. Notifications renew the time limit. Dropping the future cancels the
/// request.
async fn send_to_service(
    service: &Service,
    request: &ClientRequest,
    input: RoundInput,
    sender: Sender,
    hears: &dyn Hears,
    limits: &RequestLimits,
) -> Result<RequestOutcome, RemoteError> {
    let follows_tasks = request.follows_tasks() && service.0.has_method("tasks/get");
    let abilities = if follows_tasks { sender.abilities.with_tasks() } else { sender.abilities };
    let profile = profile(Revision::LATEST, abilities, sender.log_level);
    let client = Arc::new(ServiceClient::connect_for(service, &profile, sender.is_remote));
    let last = Mutex::new(Instant::now());
    let mut hearer = ToHearer { hears, last: &last };
    let mut exchanging = pin!(client.exchange(request.clone(), input, sender.principal, &mut hearer));
    let exchanged = loop {
        let left = limits.within.saturating_sub(last.lock().elapsed());
        match timeout(left, &mut exchanging).await {
            Ok(exchanged) => break exchanged,
            Err(_) if last.lock().elapsed() < limits.within => {}
            Err(_) => return Err(limits.timeout()),
        }
    };
    match exchanged {
        Ok(ClientReply::Result(result)) => {
            limits.outcome(result.into_json().map_err(|error| limits.invalid(error.to_string()))?)
        }
        Ok(ClientReply::Asks(asked, state)) => {
            Ok(RequestOutcome::Asks(asked.into_iter().map(Question::from).collect(), state))
        }
        Ok(ClientReply::Refused(error, _)) => Err(limits.refused(error)),
        Err(RequestFailure::Unreadable(error)) => Err(limits.invalid(error.to_string())),
        Err(RequestFailure::Refused(error)) => Err(limits.refused(error)),
        Err(RequestFailure::Stopped(never)) => match never {},
        Err(RequestFailure::Lost) => Err(limits.failed(TransferError::Broken("the service has ended".to_owned()))),
    }
}

/// Passes the notifications of a service on. Its questions end a round.
struct ToHearer<'a> {
    hears: &'a dyn Hears,
    /// When the request began, or the last notification came.
    last: &'a Mutex<Instant>,
}

impl AnswersQuestions for ToHearer<'_> {
    type Stop = std::convert::Infallible;

    async fn answer(&mut self, _: &Question) -> Result<Option<Value>, Self::Stop> {
        Ok(None)
    }

    fn notice(&mut self, notification: ServerNotification) {
        *self.last.lock() = Instant::now();
        self.hears.hear(notification);
    }
}

impl RequestLimits {
    /// Returns what comes of a request with this result.
    fn outcome(&self, result: Box<RawValue>) -> Result<RequestOutcome, RemoteError> {
        let has = |text: &[u8]| memmem::find(result.get().as_bytes(), text).is_some();
        let invalid = |error: serde_json::Error| self.invalid(error.to_string());
        if has(b"input_required")
            && let Some(InputRequired { questions, state }) = InputRequired::read(&*result).map_err(invalid)?
        {
            return Ok(RequestOutcome::Asks(questions, state));
        }
        if self.method == Operation::CallTool.method()
            && has(br#""task""#)
            && let Some(task) = RemoteTask::read(&result).map_err(invalid)?
        {
            return Ok(RequestOutcome::Task(task));
        }
        Ok(RequestOutcome::Result(result))
    }

    pub(super) fn failed(&self, failure: TransferError) -> RemoteError {
        let (server, method) = (self.server.clone(), self.method.to_owned());
        match failure {
            TransferError::Unreachable(reason) => RemoteError::Unreachable { server, reason },
            TransferError::Settings(reason) => RemoteError::Settings { server, reason },
            failure @ TransferError::Unauthorized(_) => {
                RemoteError::Unreachable { server, reason: failure.to_string() }
            }
            // The server has looked at the request and not run it.
            TransferError::Refused { status: 400..500, answer } => {
                RemoteError::Unreachable { server, reason: format!("it has answered with HTTP {answer}") }
            }
            other => RemoteError::Lost { server, method, reason: other.to_string() },
        }
    }

    pub(super) fn timeout(&self) -> RemoteError {
        RemoteError::Timeout { server: self.server.clone(), method: self.method.to_owned(), within: self.within }
    }

    pub(super) fn refused(&self, error: crate::serve::client::ProtocolError) -> RemoteError {
        RemoteError::Refused { server: self.server.clone(), method: self.method.to_owned(), error: Box::new(error) }
    }

    pub(super) fn invalid(&self, reason: String) -> RemoteError {
        RemoteError::Invalid { server: self.server.clone(), method: self.method.to_owned(), reason }
    }

    pub(super) fn arguments(&self, error: &serde_json::Error) -> RemoteError {
        RemoteError::Arguments { server: self.server.clone(), reason: error.to_string() }
    }
}
