//! One request to a server, from its sending to its reply or to a question of a session.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, value::RawValue};
use tokio::{sync::OwnedSemaphorePermit, time::timeout};

use super::{
    Remote,
    connect::{STARTING, ServerFacts},
    connection::SentRequest,
    error::RemoteError,
    inbox::Incoming,
    limits::RequestLimits,
    links::{LeasedLink, SHORT_PAUSE},
    routes::RequestTakes,
    settings::ServerPlace,
    task::RemoteTask,
    to_service::send_to_service,
};
use crate::{
    engine::call::{Principal, passed_on::PassedOn},
    serve::{
        client::{ClientRequest, Question, RoundInput, ServerNotification},
        remote::transport::TransferError,
    },
    wire::protocol::{capability::Capabilities, level::Level},
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
