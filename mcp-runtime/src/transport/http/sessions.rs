//! The sessions of clients that opened with a handshake.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicUsize},
    time::Duration,
};

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode},
    response::Response,
};
use tokio::time::Instant;

use super::{
    HttpLimits, empty, reply,
    stream::{Cursor, Stream},
    streams::Streams,
};
use crate::{
    server::connection::Connection,
    watch,
    wire::{error::RpcError, revision::Revision},
};

pub(super) const SESSION: &str = "mcp-session-id";
const PROTOCOL_VERSION: &str = "mcp-protocol-version";

/// Those in which nothing was asked for long are looked for this often.
const SWEEP: Duration = Duration::from_secs(60);

/// Those that are open, by their ids.
pub(super) struct Sessions {
    open: Mutex<HashMap<String, Arc<Session>>>,
    swept: Mutex<Instant>,
    limits: HttpLimits,
    /// The bytes that are kept of the streams of all.
    kept: Arc<AtomicUsize>,
}

/// One client, from its handshake on.
pub(super) struct Session {
    /// Whose session it is. For any other there is none of this id.
    principal: Option<Arc<str>>,
    pub(super) connection: Connection,
    streams: Mutex<Streams>,
    kept: Arc<AtomicUsize>,
    used: Mutex<Instant>,
}

impl Sessions {
    pub(super) fn new(limits: &HttpLimits) -> Self {
        Self { open: Mutex::default(), swept: Mutex::new(Instant::now()), limits: *limits, kept: Arc::default() }
    }

    pub(super) fn all(&self) -> Vec<Arc<Session>> {
        lock(&self.open).values().cloned().collect()
    }

    /// Whether a call of a session is in flight.
    pub(super) fn have_calls(&self) -> bool {
        lock(&self.open).values().any(|session| !session.connection.is_idle())
    }

    /// Keeps a session that was opened, and tells its client so.
    pub(super) fn open(&self, connection: Connection, principal: Option<Arc<str>>, mut response: Response) -> Response {
        self.sweep();
        let mut sessions = lock(&self.open);
        if sessions.len() >= self.limits.sessions {
            watch::turned_away("sessions");
            return reply::full(&RpcError::overloaded("this server has as many sessions as it may"));
        }
        let own = || sessions.values().filter(|session| session.is_of(principal.as_ref())).count();
        if principal.is_some() && own() >= self.limits.sessions_per_principal {
            watch::turned_away("sessions");
            return reply::full(&RpcError::too_many("you have as many sessions as you may"));
        }
        let id = random_id();
        if let Ok(value) = HeaderValue::from_str(&id) {
            response.headers_mut().insert(SESSION, value);
        }
        let session = Session {
            principal,
            connection,
            streams: Mutex::default(),
            kept: Arc::clone(&self.kept),
            used: Mutex::new(Instant::now()),
        };
        sessions.insert(id, Arc::new(session));
        response
    }

    /// The session a request names.
    ///
    /// # Errors
    /// The status of the refusal.
    pub(super) fn find(&self, headers: &HeaderMap, principal: Option<&Arc<str>>) -> Result<Arc<Session>, StatusCode> {
        let Some(id) = headers.get(SESSION) else { return Err(StatusCode::BAD_REQUEST) };
        let found = id.to_str().ok().and_then(|id| lock(&self.open).get(id).cloned());
        let Some(session) =
            found.filter(|session| session.is_of(principal) && !session.is_forgotten(1, self.limits.session_idle))
        else {
            return Err(StatusCode::NOT_FOUND);
        };
        let version = headers.get(PROTOCOL_VERSION).map(|version| version.to_str().ok().and_then(Revision::parse));
        if version.is_some_and(|version| version.is_none() || version != session.connection.negotiated()) {
            return Err(StatusCode::BAD_REQUEST);
        }
        session.touch();
        Ok(session)
    }

    /// Ends the session a request names.
    pub(super) fn delete(&self, headers: &HeaderMap, principal: Option<&Arc<str>>) -> Response {
        let Some(id) = headers.get(SESSION) else { return empty(StatusCode::BAD_REQUEST) };
        let mut sessions = lock(&self.open);
        let id = id.to_str().ok().filter(|id| sessions.get(*id).is_some_and(|session| session.is_of(principal)));
        let ended = id.and_then(|id| sessions.remove(id));
        drop(sessions);
        match ended {
            Some(session) => {
                session.end();
                empty(StatusCode::NO_CONTENT)
            }
            None => empty(StatusCode::NOT_FOUND),
        }
    }

    /// Ends the streams on which nothing is answered: the server stops.
    pub(super) fn stop_listening(&self) {
        lock(&self.open).values().for_each(|session| lock(&session.streams).stop_listening());
    }

    /// Ends all of them, with the calls that still run.
    pub(super) fn end(&self) {
        let ended: Vec<_> = lock(&self.open).drain().collect();
        ended.into_iter().for_each(|(_, session)| session.end());
    }

    /// Drops what nobody has used for long; now and then, with a new session.
    fn sweep(&self) {
        let mut swept = lock(&self.swept);
        if swept.elapsed() < SWEEP {
            return;
        }
        *swept = Instant::now();
        drop(swept);
        let mut sessions = lock(&self.open);
        let forgotten: Vec<_> =
            sessions.extract_if(|_, session| session.is_forgotten(0, self.limits.session_idle)).collect();
        sessions.values().for_each(|session| lock(&session.streams).sweep());
        drop(sessions);
        // Outside of the lock: dropping calls runs the author's code.
        forgotten.into_iter().for_each(|(_, session)| session.end());
    }
}

impl Session {
    /// Keeps what is said on a stream of the session from here on.
    pub(super) fn keep(&self, stream: &Arc<Stream>) {
        let number = lock(&self.streams).add(stream);
        stream.keep(number, &self.kept);
    }

    /// A stream of its own, for what belongs to no request. It takes the place of the one before.
    pub(super) fn listen(&self) -> Arc<Stream> {
        lock(&self.streams).listen()
    }

    /// The stream of an event, and where to read on behind it.
    pub(super) fn resume(&self, last_event_id: &str) -> Option<(Arc<Stream>, Cursor)> {
        let (stream, event) = last_event_id.split_once('-')?;
        let stream = lock(&self.streams).get(stream.parse().ok()?)?;
        let cursor = stream.read_behind(Some(event.parse().ok()?))?;
        Some((stream, cursor))
    }

    /// Whether its client comes again when its connection is gone.
    pub(super) fn polls(&self) -> bool {
        self.connection.negotiated().is_some_and(Revision::has_polling)
    }

    /// Whether no client is to come again for what it was sent away from.
    pub(super) fn is_read(&self) -> bool {
        lock(&self.streams).is_read()
    }

    /// It is in use.
    pub(super) fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }

    /// Whether it was not in use for long. `found`: how many have it in hand just to look.
    fn is_forgotten(self: &Arc<Self>, found: usize, idle: Duration) -> bool {
        // Whoever is being answered has it in hand.
        let in_hand = Arc::strong_count(self) > 1 + found;
        !in_hand && lock(&self.used).elapsed() >= idle && self.connection.is_idle()
    }

    fn end(&self) {
        self.connection.abort();
        lock(&self.streams).end();
    }

    fn is_of(&self, principal: Option<&Arc<str>>) -> bool {
        self.principal.as_ref() == principal
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// 32 hexadecimal digits that nobody guesses.
fn random_id() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the operating system draws random bytes");
    format!("{:032x}", u128::from_be_bytes(bytes))
}
