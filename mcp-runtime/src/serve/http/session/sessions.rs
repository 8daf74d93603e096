//! The open sessions of an endpoint.

use std::{
    sync::{Arc, atomic::AtomicUsize},
    time::Duration,
};

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode},
    response::Response,
};
use tokio::time::Instant;

use super::{http_session::HttpSession, session_table::SessionTable};
use crate::{
    base::{mutex::Mutex, random},
    engine::call::{
        Owner,
        observer::{Observer as _, observer},
    },
    serve::{http::HttpLimits, server::connection::Connection},
    wire::protocol::{error::RpcError, revision::Revision, text::shortened},
};

pub(crate) static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
static PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// The shortest time between two removals of idle sessions.
const SWEEP: Duration = Duration::from_secs(60);

/// Returns the revision of a request without a session: the one that its header names.
///
/// # Errors
/// Fails if the header names an unknown revision.
pub(crate) fn named_revision(headers: &HeaderMap) -> Result<Revision, RpcError> {
    // The header exists since 2025-06-18. A server must assume this revision if it is missing.
    let Some(version) = headers.get(&PROTOCOL_VERSION) else { return Ok(Revision::V2025_03_26) };
    let revision = version.to_str().ok().and_then(Revision::parse);
    revision.ok_or_else(|| {
        let version = String::from_utf8_lossy(version.as_bytes());
        let reason = format!("`MCP-Protocol-Version` is `{}`, which is not a revision", shortened(&version));
        RpcError::invalid_request(reason)
    })
}

/// The open sessions, within their limits.
pub(crate) struct Sessions {
    open: Mutex<SessionTable>,
    swept: Mutex<Instant>,
    limits: HttpLimits,
    /// The number of buffered bytes of all streams of all sessions.
    kept: Arc<AtomicUsize>,
}

impl Sessions {
    pub(crate) fn new(limits: &HttpLimits) -> Self {
        Self { open: Mutex::default(), swept: Mutex::new(Instant::now()), limits: *limits, kept: Arc::default() }
    }

    pub(crate) fn all(&self) -> Vec<Arc<HttpSession>> {
        self.open.lock().iter().cloned().collect()
    }

    /// Whether a session has a call in flight.
    pub(crate) fn have_calls(&self) -> bool {
        self.open.lock().iter().any(|session| !session.connection.is_idle())
    }

    /// Adds a new session and puts its id into the response. If a limit is reached, evicts another session.
    ///
    /// # Errors
    /// Rejects the new session if a limit is reached and no session can be evicted.
    pub(crate) fn open(
        &self,
        connection: Connection,
        principal: Option<Arc<str>>,
        owner: Option<Owner>,
        response: &mut Response,
    ) -> Result<(), RpcError> {
        self.sweep();
        let mut sessions = self.open.lock();
        let at_quota = owner.as_ref().filter(|owner| sessions.count_of(owner) >= self.quota_of(owner));
        let evicted = match at_quota {
            Some(owner) => {
                let error = || RpcError::too_many("you have reached your limit of sessions");
                Some(sessions.evict_own(owner).ok_or_else(error))
            }
            None if sessions.len() >= self.limits.sessions => Some(sessions.evict().ok_or_else(|| {
                RpcError::overloaded("this server has reached its limit of sessions, and all are in use")
            })),
            None => None,
        };
        let evicted = evicted.transpose().inspect_err(|_| observer().turned_away("sessions"))?;
        let id: Arc<str> = random::hex().into();
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(SESSION.clone(), value);
        }
        let session = Arc::new(HttpSession::new(connection, principal, owner, &self.kept));
        session.begin_notices();
        sessions.insert(id, session);
        drop(sessions);
        // Outside of the lock: dropping calls runs the author's code.
        evicted.into_iter().for_each(|session| session.end());
        Ok(())
    }

    /// Returns the session whose id the headers of a request contain.
    ///
    /// # Errors
    /// Returns the HTTP status of the rejection.
    pub(crate) fn find(
        &self,
        headers: &HeaderMap,
        principal: Option<&Arc<str>>,
    ) -> Result<Arc<HttpSession>, StatusCode> {
        let Some(id) = headers.get(&SESSION) else { return Err(StatusCode::BAD_REQUEST) };
        let found = id.to_str().ok().and_then(|id| self.open.lock().get(id).cloned());
        let Some(session) = found.filter(|session| {
            session.principal.as_ref() == principal && !session.is_forgotten(1, self.limits.session_idle)
        }) else {
            return Err(StatusCode::NOT_FOUND);
        };
        let version = headers.get(&PROTOCOL_VERSION).map(|version| version.to_str().ok().and_then(Revision::parse));
        if version.is_some_and(|version| version.is_none() || version != session.revision) {
            return Err(StatusCode::BAD_REQUEST);
        }
        session.touch();
        Ok(session)
    }

    /// Ends the session whose id the headers of a request contain. Returns the HTTP status of the response.
    pub(crate) fn delete(&self, headers: &HeaderMap, principal: Option<&Arc<str>>) -> StatusCode {
        let Some(id) = headers.get(&SESSION) else { return StatusCode::BAD_REQUEST };
        let mut sessions = self.open.lock();
        let id = id
            .to_str()
            .ok()
            .filter(|id| sessions.get(id).is_some_and(|session| session.principal.as_ref() == principal));
        let ended = id.and_then(|id| sessions.remove(id));
        drop(sessions);
        match ended {
            Some(session) => {
                session.end();
                StatusCode::NO_CONTENT
            }
            None => StatusCode::NOT_FOUND,
        }
    }

    /// Ends the streams for messages that belong to no request. Called when the server retires.
    pub(crate) fn stop_listening(&self) {
        self.all().iter().for_each(|session| session.streams.lock().stop_listening());
    }

    /// Ends all sessions, and the calls in them that still run.
    pub(crate) fn end(&self) {
        let ended = std::mem::take(&mut *self.open.lock());
        ended.iter().for_each(|session| session.end());
    }

    /// Drops expired sessions, at most once a minute. Called with each new session.
    fn sweep(&self) {
        let mut swept = self.swept.lock();
        if swept.elapsed() < SWEEP {
            return;
        }
        *swept = Instant::now();
        drop(swept);
        let mut sessions = self.open.lock();
        let forgotten = sessions.remove_if(|session| session.is_forgotten(0, self.limits.session_idle));
        sessions.iter().for_each(|session| session.streams.lock().sweep());
        drop(sessions);
        // Outside of the lock: dropping calls runs the author's code.
        forgotten.into_iter().for_each(|session| session.end());
    }

    /// Returns how many sessions one owner can have.
    fn quota_of(&self, owner: &Owner) -> usize {
        match owner {
            Owner::Principal(_) => self.limits.sessions_per_principal,
            Owner::Address(_) => {
                self.limits.sessions_per_address.unwrap_or_else(|| self.limits.sessions.div_ceil(2).max(1))
            }
        }
    }
}
