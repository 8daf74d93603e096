//! The limits of a server for clients over HTTP.

pub(super) mod bodies;
pub(super) mod owner;
pub(super) mod rooms;
pub(super) mod unread_replies;

use std::time::Duration;

/// The limits of a server for clients over HTTP: memory, calls, sessions, connections and times. Set them with
/// [`Server::http_limits`].
///
/// | limit | default | beyond the limit |
/// | --- | --- | --- |
/// | [`request_timeout`](Self::request_timeout) | 30 s | 408 if the body is late; if the head is late, the connection is closed |
/// | [`queue_timeout`](Self::queue_timeout) | 10 s | 503 for a call that waited for this time |
/// | [`max_calls_in_flight`](Self::max_calls_in_flight) | 16,384 | 503 |
/// | [`max_calls_per_client`](Self::max_calls_per_client) | half of [`Server::max_concurrent_calls`] | 429 |
/// | [`max_sessions`](Self::max_sessions) | 16,384 | an idle session is evicted; 503 if none is idle |
/// | [`max_sessions_per_principal`](Self::max_sessions_per_principal) | 1,024 | 429 |
/// | [`max_sessions_per_address`](Self::max_sessions_per_address) | half of `max_sessions` | 429 |
/// | [`session_idle`](Self::session_idle) | 30 min | 404; the client must open a new session |
/// | [`max_large_bodies_per_client`](Self::max_large_bodies_per_client) | 128 with the default message size of 1 MiB | 429 |
/// | [`min_body_rate`](Self::min_body_rate) | 64 KiB/s | 408 for a large message that is slower while others wait |
/// | [`max_unread_replies`](Self::max_unread_replies) | 256 MiB, half of it for one client | 429 for a client that does not read, 503 for all |
/// | [`max_connections`](Self::max_connections) | 16,384 | further connections wait to be accepted |
/// | [`keep_alive`](Self::keep_alive) | 75 s | the connection is closed |
/// | [`max_header_size`](Self::max_header_size) | 16 KiB, and 100 headers | 431 |
///
/// 503 means that the server is full. 429 means that one client has used its quota. Both responses have `Retry-After`.
/// No part of such a request has run. All clients over HTTP share [`Server::max_concurrent_calls`]; further calls wait.
/// The clients also share 256 MiB for calls that run or wait; each call counts as 4 KiB plus twice the size of its
/// arguments. A call that exceeds the 256 MiB gets 503. [`Server::max_open_calls_per_client`] and
/// [`Server::max_open_bytes_per_client`] limit the open calls of one client, for example calls that wait
/// for the client's answer.
///
/// The last three limits of the table apply only to connections of [`Service::serve_http`] and
/// [`Service::serve_listener`], because an application that mounts a [`Service::router`] accepts connections itself.
/// All other limits also apply to a mounted router, as do [`Server::max_message_size`] and
/// [`Server::max_concurrent_calls`]. But `request_timeout` then limits only the body.
///
/// ```
/// use std::time::Duration;
/// use mcp_runtime::{Server, http::HttpLimits};
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
    /// The limit for one client. `None` means half of
    /// [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls).
    pub(crate) calls_per_client: Option<usize>,
    pub(crate) sessions: usize,
    pub(crate) sessions_per_principal: usize,
    /// The limit for one address. `None` means half of the limit for all sessions.
    pub(crate) sessions_per_address: Option<usize>,
    pub(crate) session_idle: Duration,
    /// The limit for one client. `None` means half of the limit for all large bodies, but at least 16.
    pub(crate) large_bodies_per_client: Option<usize>,
    pub(crate) min_body_rate: usize,
    /// The maximum total size of large replies that are not read yet, in bytes.
    pub(crate) unread_replies: usize,
    pub(crate) connections: usize,
    pub(crate) keep_alive: Duration,
    pub(crate) header_size: usize,
}

/// Writes the functions that set limits.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($value:ident: $ty:ty) => $field:ident = $new:expr;)*) => {
        impl HttpLimits {$(
            $(#[$doc])*
            pub fn $name(mut self, $value: $ty) -> Self {
                self.$field = $new;
                self
            }
        )*}
    };
}

setters! {
    /// Sets how long the head of a request can take to arrive. The same limit applies to the body, counted from the end
    /// of the head. The `timeout` of a tool limits how long a call can run.
    request_timeout(time: Duration) => request_timeout = time;

    /// Sets how long a call waits while [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls) other
    /// calls run. After this time the call gets 503 and does not run. If the time is zero, calls do not wait.
    queue_timeout(time: Duration) => queue_timeout = time;

    /// Limits the calls in flight: calls that run, calls that wait to run, and calls of a session that wait for a
    /// user's answer. [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls) limits only the calls that
    /// run.
    max_calls_in_flight(calls: usize) => calls_in_flight = calls.max(1);

    /// Limits how many calls of one client run at once. A client is a [`Principal`](crate::Principal), or a session if
    /// the request has no principal. A call with neither principal nor session is not limited by this setting. Default:
    /// half of [`Server::max_concurrent_calls`](crate::Server::max_concurrent_calls).
    max_calls_per_client(calls: usize) => calls_per_client = Some(calls.max(1));

    /// Limits how many sessions are open at once. Only clients of the revisions before 2026-07-28 have sessions.
    ///
    /// At the limit, a new session evicts another one. Sessions that were never used after `initialize` are evicted
    /// first, beginning with the oldest. Next is the session whose client has sent nothing for the longest time.
    /// Sessions whose client has a stream open are evicted last. The client of an evicted session gets 404 and must
    /// open a new session. A session with a call in flight is never evicted. If all sessions have calls in flight, the
    /// new session is rejected with 503.
    max_sessions(sessions: usize) => sessions = sessions;

    /// Limits how many sessions one [`Principal`](crate::Principal) has. At the limit, a new session evicts a session
    /// of the same principal whose client has sent nothing for at least a minute. If each client has sent a message
    /// within the last minute, the new session gets 429. The same rules apply to
    /// [`max_sessions_per_address`](Self::max_sessions_per_address).
    max_sessions_per_principal(sessions: usize) => sessions_per_principal = sessions;

    /// Limits the sessions of one address. Sessions with a [`Principal`](crate::Principal) do not count. An IPv6
    /// network of 64 bits counts as one address. Default: half of [`max_sessions`](Self::max_sessions). A proxy sends
    /// all requests from its own address. Behind a proxy, set the client's address with
    /// [`ClientAddress`](crate::http::ClientAddress).
    max_sessions_per_address(sessions: usize) => sessions_per_address = Some(sessions);

    /// Limits how many messages of more than 64 KiB one client sends at once, including messages that wait to be
    /// received. A client is a [`Principal`](crate::Principal), or an address if the request has no principal.
    ///
    /// From all clients together, the server receives a limited number of such messages at once: 256 MiB divided by
    /// [`Server::max_message_size`](crate::Server::max_message_size). Default: half of that number, but at least 16.
    max_large_bodies_per_client(bodies: usize) => large_bodies_per_client = Some(bodies.max(1));

    /// Sets the minimum speed of a message of more than 64 KiB, in bytes per second. The minimum applies while other
    /// large messages wait to be received. A slower message gets 408. Default: 64 KiB. While no other message waits,
    /// only the [`request_timeout`](Self::request_timeout) applies.
    min_body_rate(bytes_per_second: usize) => min_body_rate = bytes_per_second;

    /// Limits the replies that clients have not read yet, in bytes. Only replies of more than 64 KiB count. While the
    /// unread replies of all clients reach this limit, no new request begins. A client whose unread replies reach half
    /// of this limit gets 429 for its requests. Default: 256 MiB.
    max_unread_replies(bytes: usize) => unread_replies = bytes;

    /// Sets how long a session can be without a request before it expires.
    session_idle(time: Duration) => session_idle = time;

    /// Limits how many connections are open at once. The server does not reject further connections. They wait in the
    /// queue of the operating system until another connection ends. Each connection needs a file descriptor, so the
    /// process must be allowed to open more files than this limit.
    max_connections(connections: usize) => connections = connections.max(1);

    /// Sets the time after which the server closes a connection if no request begins on it, or if its client does not
    /// read the response. The time should be longer than a proxy's timeout for idle connections.
    keep_alive(time: Duration) => keep_alive = time;

    /// Limits the size of a request's head in bytes: its first line and all its headers.
    max_header_size(bytes: usize) => header_size = bytes;
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
            unread_replies: 256 * 1024 * 1024,
            connections: 16 * 1024,
            keep_alive: Duration::from_secs(75),
            header_size: 16 * 1024,
        }
    }
}
