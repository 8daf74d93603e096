//! What clients over HTTP may make a server hold, and for how long.

use std::time::Duration;

/// Bounds of what clients over HTTP can make a server hold, and for how long: for [`Server::http_limits`].
///
/// | | default | beyond it |
/// | --- | --- | --- |
/// | [`request_timeout`](Self::request_timeout) | 30 s | 408; the connection of a head that is late is closed |
/// | [`max_calls_in_flight`](Self::max_calls_in_flight) | 16,384 | 503 |
/// | [`max_calls_per_client`](Self::max_calls_per_client) | half of all | 429 |
/// | [`max_sessions`](Self::max_sessions) | 16,384 | an idle session is evicted; 503 if none is idle |
/// | [`max_sessions_per_principal`](Self::max_sessions_per_principal) | 1,024 | 429 |
/// | [`max_sessions_per_address`](Self::max_sessions_per_address) | half of all | 429 |
/// | [`session_idle`](Self::session_idle) | 30 min | 404, and its client opens another |
/// | [`max_large_bodies_per_client`](Self::max_large_bodies_per_client) | half of all, at least 16 | 429 |
/// | [`min_body_rate`](Self::min_body_rate) | 64 KiB/s | 408 for a large message, while others wait |
/// | [`max_connections`](Self::max_connections) | 16,384 | more wait to be accepted |
/// | [`keep_alive`](Self::keep_alive) | 75 s | the connection is closed |
/// | [`max_header_size`](Self::max_header_size) | 16 KiB, in 100 headers | 431 |
///
/// With 503, the server's own bounds, and 429, those of one client, comes `Retry-After`: nothing has begun. The same has
/// [`Server::max_concurrent_calls`], which over HTTP is shared by all clients.
///
/// The last three are those of connections, and hold where the server has its own: with [`Service::serve_http`] and
/// [`Service::serve_listener`]. A [`Service::router`] in an application of yours has the connections of that. The others,
/// [`Server::max_message_size`] and [`Server::max_concurrent_calls`] are the endpoint's and hold in both.
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
/// [`Server::max_message_size`]: crate::Server::max_message_size
/// [`Service::router`]: crate::Service::router
/// [`Service::serve_http`]: crate::Service::serve_http
/// [`Service::serve_listener`]: crate::Service::serve_listener
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct HttpLimits {
    pub(crate) request_timeout: Duration,
    pub(crate) calls_in_flight: usize,
    /// Half of all if nothing is said.
    pub(crate) calls_per_client: Option<usize>,
    pub(crate) sessions: usize,
    pub(crate) sessions_per_principal: usize,
    /// Half of all if nothing is said.
    pub(crate) sessions_per_address: Option<usize>,
    pub(crate) session_idle: Duration,
    /// Half of all if nothing is said, but some in any case.
    pub(crate) large_bodies_per_client: Option<usize>,
    pub(crate) min_body_rate: usize,
    pub(crate) connections: usize,
    pub(crate) keep_alive: Duration,
    pub(crate) header_size: usize,
}

impl HttpLimits {
    /// How long a request may take to arrive: its head, and then its body. How long a call may take is the `timeout` of
    /// its tool.
    pub fn request_timeout(mut self, time: Duration) -> Self {
        self.request_timeout = time;
        self
    }

    /// How many calls there may be at once, those that run and those that wait for their user's answer. How many of them
    /// run is [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls).
    pub fn max_calls_in_flight(mut self, calls: usize) -> Self {
        self.calls_in_flight = calls.max(1);
        self
    }

    /// How many calls of one client may run at once: of one [`Principal`](crate::Principal), or where there is none of one
    /// session. Whose the others are is not known.
    pub fn max_calls_per_client(mut self, calls: usize) -> Self {
        self.calls_per_client = Some(calls.max(1));
        self
    }

    /// How many sessions there may be at once. Only clients of the revisions before 2026-07-28 have one.
    ///
    /// When there are as many, a new session evicts another: the first that was opened of those in which nothing was asked
    /// since; if there is none, the one whose client has been silent for longest, and those whose client holds a stream
    /// open last. The client of an evicted session gets 404 and opens another. A session with a call in flight is never
    /// evicted; where all have one, a new session gets 503.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.sessions = sessions;
        self
    }

    /// How many of them may be those of one [`Principal`](crate::Principal). It gets 429 for one more, unless it has a
    /// session that was silent for a minute, which is then evicted. The same holds for
    /// [`max_sessions_per_address`](Self::max_sessions_per_address).
    pub fn max_sessions_per_principal(mut self, sessions: usize) -> Self {
        self.sessions_per_principal = sessions;
        self
    }

    /// How many of them may be those of one address, where no [`Principal`](crate::Principal) is known; an IPv6 network of
    /// 64 bits counts as one address. Default: half of [`max_sessions`](Self::max_sessions). Behind a proxy say whose the
    /// requests are: [`ClientAddress`](crate::ClientAddress).
    pub fn max_sessions_per_address(mut self, sessions: usize) -> Self {
        self.sessions_per_address = Some(sessions);
        self
    }

    /// How many messages of more than 64 KiB one client may send at once: one [`Principal`](crate::Principal), or where
    /// there is none one address. Those that wait until the server receives them count. Default: half of as many as
    /// 256 MiB have room for, each of [`Server::max_message_size`](crate::Server::max_message_size), but at least 16.
    pub fn max_large_bodies_per_client(mut self, bodies: usize) -> Self {
        self.large_bodies_per_client = Some(bodies.max(1));
        self
    }

    /// How many bytes of a message of more than 64 KiB must arrive in each second while others wait for its room. One
    /// that arrives more slowly is refused with 408, and the next is received. Default: 64 KiB. While no other waits, a
    /// message may take its [`request_timeout`](Self::request_timeout).
    pub fn min_body_rate(mut self, bytes_per_second: usize) -> Self {
        self.min_body_rate = bytes_per_second;
        self
    }

    /// How long a session is kept in which nothing is asked.
    pub fn session_idle(mut self, time: Duration) -> Self {
        self.session_idle = time;
        self
    }

    /// How many connections there may be at once. More are not refused: they wait, in the queue of the operating system,
    /// until one ends. Each needs a file descriptor: the operating system has to grant as many.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.connections = connections.max(1);
        self
    }

    /// How long a connection is kept on which nothing moves: no request begins, or its client does not read what is sent.
    /// Behind a proxy that keeps its connections for longer than 75 seconds, set this to more than that.
    pub fn keep_alive(mut self, time: Duration) -> Self {
        self.keep_alive = time;
        self
    }

    /// How many bytes the head of a request may have: its first line and all of its headers.
    pub fn max_header_size(mut self, bytes: usize) -> Self {
        self.header_size = bytes;
        self
    }
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            request_timeout: Duration::from_secs(30),
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
