//! The request that a call is answering, and its sender.

use std::{
    any::Any,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU8, Ordering},
    },
};

use crate::{
    engine::call::{
        Client, MessageSink, Principal, Reports,
        conversation::WireQuestion,
        http_parts::HttpParts,
        observer::{Observer as _, RequestTrace, SessionWatch, observer},
    },
    wire::protocol::{id::Id, level::Level, params::Meta, revision::Revision},
};

use super::host::Host;
pub(crate) use crate::engine::call::Peer;

/// The request that a call is answering now. Since 2026-07-28 a call can consist of several requests, each with its own
/// options.
pub(crate) struct Request {
    pub(crate) caller: Caller,
    /// The principal of the request, if known.
    pub(crate) principal: Option<Principal>,
    pub(crate) reports: Option<Reports>,
    pub(crate) sink: Arc<dyn MessageSink>,
    /// The parts of the HTTP request except its body.
    pub(crate) http_parts: HttpParts,
    /// The trace that the request is part of.
    #[allow(dead_code, reason = "read only where traces are observed")]
    pub(crate) trace: RequestTrace,
    /// Whether the caller is on the network. See [`Peer::remote`].
    pub(crate) is_remote: bool,
    #[cfg(feature = "remote")]
    pub(crate) passed_on: crate::engine::call::passed_on::PassedOn,
    /// The id of the request, as JSON text.
    #[cfg(feature = "dev")]
    pub(crate) id: Option<Arc<str>>,
}

/// The client that sent a request, and whether the request belongs to a session or is self-contained.
pub(crate) enum Caller {
    /// A request in a session. The server asks with requests of its own. `client` is the client of this request, if it
    /// differs from that of the session.
    Legacy { session: Arc<Session>, client: Option<Client> },
    /// A self-contained request. The server asks by ending the round.
    Modern { client: Client, log_level: Option<Level> },
}

/// A session of a client: the result of the handshake.
pub(crate) struct Session {
    pub(crate) client: Client,
    /// Sends the questions of the session's calls. A client that repeats the handshake keeps it, because it can still
    /// answer earlier questions.
    pub(crate) questions: Arc<Questions>,
    log_level: AtomicU8,
    /// The session's subscription to notices. Dropping this value ends the subscription.
    pub(crate) notices: OnceLock<Box<dyn Any + Send + Sync>>,
    _watch: Option<SessionWatch>,
}

/// Sends a call's questions to the client of a session.
pub(crate) trait Asker: Send + Sync {
    /// Sends a question on the stream of the call's request.
    fn ask(&self, call: &Arc<super::CallState>, question: WireQuestion, sink: &Arc<dyn MessageSink>);

    /// Cancels the request with this number, because its answer is not needed any more.
    fn withdraw(&self, number: u64);

    /// Passes a response to the call that waits for it. Ignores a response to an unknown request.
    fn answered(&self, id: &Id<'_>, outcome: Result<&str, &str>);

    /// Returns the key of a question, for the module `testing`.
    fn key(&self, _id: &Id<'_>) -> Option<String> {
        None
    }
}

/// Holds the [`Asker`] of a session. The asker is created with the first question, because most sessions have no
/// questions.
#[derive(Default)]
pub(crate) struct Questions(OnceLock<Box<dyn Asker>>);

impl Questions {
    /// Creates the `Questions` of a call that does not belong to a client's session. The parameter `asker` sends the
    /// questions of this call.
    pub(crate) fn asked_by(asker: Box<dyn Asker>) -> Self {
        Self(OnceLock::from(asker))
    }

    /// Returns the asker, or creates it with the first question. Returns `None` if the server cannot ask.
    pub(crate) fn begin(&self, server: &dyn Host) -> Option<&dyn Asker> {
        match self.begun() {
            None => server.asker().map(|asker| &**self.0.get_or_init(|| asker)),
            begun => begun,
        }
    }

    pub(crate) fn begun(&self) -> Option<&dyn Asker> {
        self.0.get().map(|asker| &**asker)
    }
}

impl Request {
    pub(crate) fn new(caller: Caller, reports: Option<Reports>, peer: &Peer) -> Self {
        Self {
            caller,
            principal: peer.principal.clone(),
            reports,
            sink: Arc::clone(&peer.sink),
            http_parts: peer.http_parts.clone(),
            trace: observer().trace(),
            is_remote: peer.remote,
            #[cfg(feature = "remote")]
            passed_on: crate::engine::call::passed_on::PassedOn::default(),
            #[cfg(feature = "dev")]
            id: observer().request_id(),
        }
    }

    /// Sets what the request passes on to other servers.
    #[allow(clippy::unused_self, unused_mut, reason = "only clients of other servers pass it on")]
    pub(crate) fn passing_on(mut self, _meta: &Meta<'_>) -> Self {
        #[cfg(feature = "remote")]
        {
            self.passed_on = crate::engine::call::passed_on::PassedOn::of(_meta);
        }
        self
    }

    /// Returns whether the client wants log messages of this level.
    pub(crate) fn wants(&self, level: Level) -> bool {
        self.least_level().is_some_and(|least| level >= least)
    }

    /// Returns the lowest level of the log messages that the client wants.
    pub(crate) fn least_level(&self) -> Option<Level> {
        match &self.caller {
            Caller::Legacy { session, .. } => {
                let least = session.log_level.load(Ordering::Relaxed);
                Level::ALL.into_iter().find(|level| *level as u8 >= least)
            }
            Caller::Modern { log_level, .. } => *log_level,
        }
    }
}

impl Caller {
    pub(crate) fn revision(&self) -> Revision {
        self.client().revision()
    }

    pub(crate) fn client(&self) -> &Client {
        match self {
            Self::Legacy { session, client, .. } => client.as_ref().unwrap_or(&session.client),
            Self::Modern { client, .. } => client,
        }
    }
}

impl Session {
    /// Creates a session. The client gets log messages of level `info` and above until it sets another level.
    pub(crate) fn new(client: Client, questions: Arc<Questions>) -> Self {
        let watch = observer().session(client.revision());
        Self { _watch: Some(watch), ..Self::unwatched(client, questions, Level::Info as u8) }
    }

    /// Creates a session without a connection, for a single call. The call sends log messages of all levels.
    pub(crate) fn of_one_call(client: Client, questions: Questions) -> Self {
        Self::unwatched(client, Arc::new(questions), Level::Debug as u8)
    }

    /// Creates the session of a single request, for a client whose session the server does not keep. The client has no
    /// capabilities and gets no log messages, because it cannot set a level.
    pub(crate) fn of_one_request(revision: Revision) -> Self {
        Self::unwatched(Client::disconnected(revision), Arc::default(), u8::MAX)
    }

    fn unwatched(client: Client, questions: Arc<Questions>, log_level: u8) -> Self {
        Self { client, questions, log_level: AtomicU8::new(log_level), notices: OnceLock::new(), _watch: None }
    }

    pub(crate) fn set_log_level(&self, level: Level) {
        self.log_level.store(level as u8, Ordering::Relaxed);
    }
}
