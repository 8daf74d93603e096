//! The request a call is answering, and who sent it.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicU8, Ordering},
};

use super::{
    Client, Outlet, Principal,
    conversation::Question,
    http_parts::HttpParts,
    multi_round::MultiRound,
    observer::{Observer as _, RequestTrace, SessionWatch, observer},
    owner::Owner,
    progress::Reports,
};
use crate::protocol::{
    id::{Id, RequestId},
    level::Level,
    revision::Revision,
};

/// The request a call is answering now. Since 2026-07-28 a call lasts over several, each with its own wishes.
pub(crate) struct Request {
    pub(crate) caller: Caller,
    /// Who is behind it, where that is known.
    pub(crate) principal: Option<Principal>,
    pub(crate) reports: Option<Reports>,
    pub(crate) outlet: Arc<dyn Outlet>,
    /// What came with it besides its body, over HTTP.
    pub(crate) http_parts: HttpParts,
    /// The trace it is part of.
    #[allow(dead_code, reason = "read only where traces are observed")]
    pub(crate) trace: RequestTrace,
}

/// The other end of a connection.
pub(crate) struct Peer {
    /// Where late replies and notifications go.
    pub(crate) outlet: Arc<dyn Outlet>,
    /// Who is behind it, where that is known.
    pub(crate) principal: Option<Principal>,
    /// Whose quotas its calls count against, where it has any.
    pub(crate) owner: Option<Owner>,
    /// What came with the request besides its body, over HTTP.
    pub(crate) http_parts: HttpParts,
    /// Whether it could be anybody.
    pub(crate) remote: bool,
}

/// Who called, under which revision.
pub(crate) enum Caller {
    /// A session opened by a handshake. It is asked by requests of ours.
    Legacy { session: Arc<Session>, questions: Arc<Questions> },
    /// A request that stands alone. It is asked by ending its round.
    Modern { client: Client, log_level: Option<Level> },
}

/// What a handshake settled.
pub(crate) struct Session {
    pub(crate) client: Client,
    log_level: AtomicU8,
    _watch: SessionWatch,
}

/// Sends a call's questions to the client of a session.
pub(crate) trait Asker: Send + Sync {
    /// Asks by the way the call's request came by.
    fn ask(&self, call: &Arc<super::CallState>, question: &Question, outlet: &Arc<dyn Outlet>);

    /// Nobody waits for the answer to this request any more.
    fn withdraw(&self, id: &RequestId);

    /// Hands a response to the call that waits for it. One that nobody waits for is ignored.
    fn answered(&self, id: &Id<'_>, outcome: Result<&str, &str>);

    /// The key of a question that has no response yet.
    #[cfg(feature = "testing")]
    fn key(&self, id: &Id<'_>) -> Option<String>;
}

/// What a session's client was asked. Most are never asked anything, and most programs have nothing to ask with.
#[derive(Default)]
pub(crate) struct Questions(OnceLock<Box<dyn Asker>>);

impl Questions {
    pub(crate) fn begin(&self, multi_round: &dyn MultiRound) -> &dyn Asker {
        &**self.0.get_or_init(|| multi_round.asker())
    }

    pub(crate) fn begun(&self) -> Option<&dyn Asker> {
        self.0.get().map(|asker| &**asker)
    }
}

impl Peer {
    pub(crate) fn new(outlet: Arc<dyn Outlet>, principal: Option<Principal>) -> Self {
        Self {
            outlet,
            owner: principal.as_ref().map(|principal| Owner::Principal(principal.shared_name())),
            principal,
            http_parts: HttpParts::default(),
            remote: false,
        }
    }
}

impl Request {
    pub(crate) fn new(caller: Caller, reports: Option<Reports>, peer: &Peer) -> Self {
        Self {
            caller,
            principal: peer.principal.clone(),
            reports,
            outlet: Arc::clone(&peer.outlet),
            http_parts: peer.http_parts.clone(),
            trace: observer().trace(),
        }
    }

    /// Whether the client wants log messages of this level.
    pub(crate) fn wants(&self, level: Level) -> bool {
        match &self.caller {
            Caller::Legacy { session, .. } => level as u8 >= session.log_level.load(Ordering::Relaxed),
            Caller::Modern { log_level, .. } => log_level.is_some_and(|least| level >= least),
        }
    }
}

impl Caller {
    pub(crate) fn revision(&self) -> Revision {
        self.client().revision()
    }

    pub(crate) fn client(&self) -> &Client {
        match self {
            Self::Legacy { session, .. } => &session.client,
            Self::Modern { client, .. } => client,
        }
    }
}

impl Session {
    /// Until the client says otherwise it gets what is of interest: `info` and above.
    pub(crate) fn new(client: Client) -> Self {
        let _watch = observer().session(client.revision());
        Self { client, log_level: AtomicU8::new(Level::Info as u8), _watch }
    }

    pub(crate) fn set_log_level(&self, level: Level) {
        self.log_level.store(level as u8, Ordering::Relaxed);
    }
}
