//! Limits of what clients over HTTP can make a server hold, and for how long.

use std::time::Duration;

/// Limits what clients over HTTP can make a server hold, and for how long. Set with [`Server::http_limits`].
///
/// | limit | default | beyond it |
/// | --- | --- | --- |
/// | [`request_timeout`](Self::request_timeout) | 30 s | 408; the connection of a head that is late is closed |
/// | [`queue_timeout`](Self::queue_timeout) | 10 s | 503 for a call that waited so long for its turn to run |
/// | [`max_calls_in_flight`](Self::max_calls_in_flight) | 16,384 | 503 |
/// | [`max_calls_per_client`](Self::max_calls_per_client) | half of [`Server::max_concurrent_calls`] | 429 |
/// | [`max_sessions`](Self::max_sessions) | 16,384 | an idle session is evicted; 503 if none is idle |
/// | [`max_sessions_per_principal`](Self::max_sessions_per_principal) | 1,024 | 429 |
/// | [`max_sessions_per_address`](Self::max_sessions_per_address) | half of `max_sessions` | 429 |
/// | [`session_idle`](Self::session_idle) | 30 min | 404, and its client opens another |
/// | [`max_large_bodies_per_client`](Self::max_large_bodies_per_client) | 128 of 1 MiB each | 429 |
/// | [`min_body_rate`](Self::min_body_rate) | 64 KiB/s | 408 for a large message, while others wait |
/// | [`max_connections`](Self::max_connections) | 16,384 | more wait to be accepted |
/// | [`keep_alive`](Self::keep_alive) | 75 s | the connection is closed |
/// | [`max_header_size`](Self::max_header_size) | 16 KiB, in 100 headers | 431 |
///
/// 503 means that the server is full, 429 that one client has used its quota. Both come with `Retry-After`, and nothing
/// of the request has run. All clients over HTTP share [`Server::max_concurrent_calls`]; further calls wait for their
/// turn. They also share 256 MiB for calls that run or wait: 4 KiB for each call, and twice the size of its arguments.
/// A call that does not fit gets 503. [`Server::max_open_calls_per_client`] and [`Server::max_open_bytes_per_client`]
/// limit the calls of one client that wait for an answer.
///
/// The last three limits apply to connections, and only to those of [`Service::serve_http`] and
/// [`Service::serve_listener`]: an application that mounts a [`Service::router`] has its own connections. The other
/// limits, [`Server::max_message_size`] and [`Server::max_concurrent_calls`] apply in both cases.
///
/// ```
/// use std::time::Duration;
/// use mcp_runtime::{HttpLimits, Server};
///
/// let limits = HttpLimits::default().max_sessions(1000).session_idle(Duration::from_secs(600));
/// let server = Server::new("s", "1.0.0").http_limits(limits);
/// ```
///
/// [`Server::http_limits`]: crate::Server::http_limits
/// [`Server::max_concurrent_calls`]: crate::Server::max_concurrent_calls
/// [`Server::max_open_bytes_per_client`]: crate::Server::max_open_bytes_per_client
/// [`Server::max_open_calls_per_client`]: crate::Server::max_open_calls_per_client
/// [`Server::max_message_size`]: crate::Server::max_message_size
/// [`Service::router`]: crate::Service::router
/// [`Service::serve_http`]: crate::Service::serve_http
/// [`Service::serve_listener`]: crate::Service::serve_listener
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct HttpLimits {
    pub(crate) request_timeout: Duration,
    pub(crate) queue_timeout: Duration,
    pub(crate) calls_in_flight: usize,
    /// Default: half of the calls that may run.
    pub(crate) calls_per_client: Option<usize>,
    pub(crate) sessions: usize,
    pub(crate) sessions_per_principal: usize,
    /// Default: half of all sessions.
    pub(crate) sessions_per_address: Option<usize>,
    pub(crate) session_idle: Duration,
    /// Default: half of all large bodies, but at least 16.
    pub(crate) large_bodies_per_client: Option<usize>,
    pub(crate) min_body_rate: usize,
    pub(crate) connections: usize,
    pub(crate) keep_alive: Duration,
    pub(crate) header_size: usize,
}

impl HttpLimits {
    /// Sets how long a request may take to arrive: its head, and then its body. The `timeout` of a tool limits how long
    /// a call may take.
    pub fn request_timeout(mut self, time: Duration) -> Self {
        self.request_timeout = time;
        self
    }

    /// Sets how long a call waits for its turn while
    /// [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls) run. Then it gets 503, and nothing of it
    /// has run. Zero rejects it at once.
    pub fn queue_timeout(mut self, time: Duration) -> Self {
        self.queue_timeout = time;
        self
    }

    /// Limits the calls in flight: those that run, those that wait for their turn, and those of a session that wait for
    /// their user's answer. [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls) limits how many run.
    pub fn max_calls_in_flight(mut self, calls: usize) -> Self {
        self.calls_in_flight = calls.max(1);
        self
    }

    /// Limits how many calls of one client run at once. A client is a [`Principal`](crate::Principal), or a session if
    /// it has none; a call with neither has no limit of its own. Default: half of
    /// [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls).
    pub fn max_calls_per_client(mut self, calls: usize) -> Self {
        self.calls_per_client = Some(calls.max(1));
        self
    }

    /// Limits how many sessions are open at once. Only clients of the revisions before 2026-07-28 have one.
    ///
    /// When the table is full, a new session evicts another: first the oldest of those that were never used after
    /// `initialize`, then the one whose client has been silent for longest. A session whose client holds a stream open is
    /// evicted only if there is no other. The client of an evicted session gets 404 and opens another. A session with a
    /// call in flight is never evicted; if all have one, a new session gets 503.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.sessions = sessions;
        self
    }

    /// Limits how many sessions one [`Principal`](crate::Principal) has. Beyond that, a new session evicts one of the
    /// same principal that was silent for a minute; if there is none, it gets 429. The same holds for
    /// [`max_sessions_per_address`](Self::max_sessions_per_address).
    pub fn max_sessions_per_principal(mut self, sessions: usize) -> Self {
        self.sessions_per_principal = sessions;
        self
    }

    /// Limits how many sessions one address has, if no [`Principal`](crate::Principal) is known. An IPv6 network of 64
    /// bits counts as one address. Default: half of [`max_sessions`](Self::max_sessions). Behind a proxy, all requests
    /// come from its address: set the client's own with [`ClientAddress`](crate::ClientAddress).
    pub fn max_sessions_per_address(mut self, sessions: usize) -> Self {
        self.sessions_per_address = Some(sessions);
        self
    }

    /// Limits how many messages of more than 64 KiB one client sends at once. A client is a
    /// [`Principal`](crate::Principal), or an address if it has none. Messages that wait to be received count.
    ///
    /// The server receives as many large messages at once as fit into 256 MiB if each has
    /// [`Server::max_message_size`](crate::Server::max_message_size) bytes. Default: half of these, but at least 16.
    pub fn max_large_bodies_per_client(mut self, bodies: usize) -> Self {
        self.large_bodies_per_client = Some(bodies.max(1));
        self
    }

    /// Sets how many bytes of a message of more than 64 KiB must arrive in each second while other large messages wait
    /// to be received. A slower message gets 408. Default: 64 KiB. While none waits, a message may take its
    /// [`request_timeout`](Self::request_timeout).
    pub fn min_body_rate(mut self, bytes_per_second: usize) -> Self {
        self.min_body_rate = bytes_per_second;
        self
    }

    /// Sets how long an idle session is kept.
    pub fn session_idle(mut self, time: Duration) -> Self {
        self.session_idle = time;
        self
    }

    /// Limits how many connections are open at once. Further connections are not refused: they wait in the queue of the
    /// operating system until one ends. Each needs a file descriptor, so the process must be allowed to have as many.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.connections = connections.max(1);
        self
    }

    /// Sets how long a connection without progress is kept: no request begins, or the client does not read the
    /// response. If a proxy keeps its connections for longer than 75 seconds, set this to more than that.
    pub fn keep_alive(mut self, time: Duration) -> Self {
        self.keep_alive = time;
        self
    }

    /// Limits the size of a request's head in bytes: its first line and all its headers.
    pub fn max_header_size(mut self, bytes: usize) -> Self {
        self.header_size = bytes;
        self
    }
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            request_timeout: Duration::from_secs(30),
            queue_timeout: Duration::from_secs(10),
            calls_in_flight: 16 * 1024,
            calls_per_client: None,
            sessions: 16 * 1024,
            sessions_per_principal: 1024,
            sessions_per_address: None,
            session_idle: Duration::from_secs(30 * 60),
            large_bodies_per_client: None,
            min_body_rate: 64 * 1024,
            connections: 16 * 1024,
            keep_alive: Duration::from_secs(75),
            header_size: 16 * 1024,
        }
    }
}
