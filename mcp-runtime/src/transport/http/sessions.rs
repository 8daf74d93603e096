//! The sessions of clients that opened with a handshake.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode},
    response::Response,
};
use tokio::time::Instant;

use super::{HttpLimits, empty, reply};
use crate::{
    server::connection::Connection,
    wire::{error::RpcError, revision::Revision},
};

pub(super) const SESSION: &str = "mcp-session-id";
const PROTOCOL_VERSION: &str = "mcp-protocol-version";

/// Those in which nothing was asked for long are looked for this often.
const SWEEP: Duration = Duration::from_secs(60);

pub(super) struct Sessions {
    open: Mutex<HashMap<String, Entry>>,
    swept: Mutex<Instant>,
    /// How many there are at once.
    most: usize,
    /// How many of one principal.
    most_of_one: usize,
    /// How long one is kept in which nothing is asked.
    kept: Duration,
}

struct Entry {
    /// Whose session it is. For any other there is none of this id.
    principal: Option<Arc<str>>,
    connection: Arc<Connection>,
    used: Instant,
}

impl Sessions {
    pub(super) fn new(limits: &HttpLimits) -> Self {
        Self {
            open: Mutex::default(),
            swept: Mutex::new(Instant::now()),
            most: limits.sessions,
            most_of_one: limits.sessions_per_principal,
            kept: limits.session_idle,
        }
    }

    /// Keeps a session that was opened, and tells its client so.
    pub(super) fn open(&self, connection: Connection, principal: Option<Arc<str>>, mut response: Response) -> Response {
        self.sweep();
        let mut sessions = self.lock();
        if sessions.len() >= self.most {
            return reply::later(&RpcError::overloaded("this server has as many sessions as it may"));
        }
        let theirs = || sessions.values().filter(|entry| entry.is_of(principal.as_ref()));
        if principal.is_some() && theirs().nth(self.most_of_one.saturating_sub(1)).is_some() {
            return reply::later(&RpcError::too_many("you have as many sessions as you may"));
        }
        let id = random_id();
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(SESSION, value);
        }
        sessions.insert(id, Entry { principal, connection: Arc::new(connection), used: Instant::now() });
        response
    }

    /// The session a request names.
    pub(super) fn find(
        &self,
        headers: &HeaderMap,
        principal: Option<&Arc<str>>,
    ) -> Result<Arc<Connection>, StatusCode> {
        let Some(id) = headers.get(SESSION) else { return Err(StatusCode::BAD_REQUEST) };
        let mut sessions = self.lock();
        let entry = id.to_str().ok().and_then(|id| sessions.get_mut(id));
        let Some(entry) = entry.filter(|entry| entry.is_of(principal) && entry.used.elapsed() < self.kept) else {
            return Err(StatusCode::NOT_FOUND);
        };
        entry.used = Instant::now();
        let version = headers.get(PROTOCOL_VERSION).map(|version| version.to_str().ok().and_then(Revision::parse));
        match version {
            None => Ok(Arc::clone(&entry.connection)),
            Some(Some(version)) if Some(version) == entry.connection.negotiated() => Ok(Arc::clone(&entry.connection)),
            Some(_) => Err(StatusCode::BAD_REQUEST),
        }
    }

    /// Ends the session a request names.
    pub(super) fn delete(&self, headers: &HeaderMap, principal: Option<&Arc<str>>) -> Response {
        let Some(id) = headers.get(SESSION) else { return empty(StatusCode::BAD_REQUEST) };
        let mut sessions = self.lock();
        let id = id.to_str().ok().filter(|id| sessions.get(*id).is_some_and(|entry| entry.is_of(principal)));
        let ended = id.and_then(|id| sessions.remove(id));
        drop(sessions);
        match ended {
            Some(entry) => {
                entry.connection.abort();
                empty(StatusCode::NO_CONTENT)
            }
            None => empty(StatusCode::NOT_FOUND),
        }
    }

    /// Drops what nobody has used for long; now and then, with a new session.
    fn sweep(&self) {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.elapsed() < SWEEP {
            return;
        }
        *swept = Instant::now();
        drop(swept);
        let idle: Vec<_> = self.lock().extract_if(|_, entry| entry.used.elapsed() >= self.kept).collect();
        // Outside of the lock: dropping calls runs the author's code.
        idle.into_iter().for_each(|(_, entry)| entry.connection.abort());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn is_of(&self, principal: Option<&Arc<str>>) -> bool {
        self.principal.as_ref() == principal
    }
}

/// 32 hexadecimal digits that nobody guesses.
fn random_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system draws random bytes");
    format!("{:032x}", u128::from_be_bytes(bytes))
}
