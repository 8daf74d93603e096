//! Handles `POST`, whose body is one message or a batch.

#![expect(clippy::result_large_err, reason = "each response is moved once, which costs less than a box")]

use std::{net::IpAddr, sync::Arc};

use axum::{
    body::{Bytes, HttpBody},
    http::{
        StatusCode,
        header::{AUTHORIZATION, COOKIE, Entry, PROXY_AUTHORIZATION},
        request::Parts,
    },
    response::{IntoResponse as _, Response},
};
use tokio::runtime::Handle;

use super::{Http, accept::accepts_only_json, events::Exchange, reply};
use crate::{
    engine::call::{Owner, Principal, message_sink::DropNotifications, request::Peer},
    serve::{
        http::{
            guard::principal,
            session::{HttpSession, SESSION, Stream, StreamSink, named_revision},
        },
        server::{
            concurrency::Room,
            connection::{Connection, Received},
        },
    },
    wire::protocol::{
        error::RpcError,
        frame::{Frame, OK},
        message::{Malformed, Message},
        revision::Revision,
        text::BYTE_ORDER_MARK,
    },
};

/// The stream on which the answer to a message will be sent, if the message needs one. If the message was answered at
/// once, the error is the response.
type Dispatched = Result<(Arc<Stream>, Exchange), Response>;

/// A posted request, without its body.
struct Posted<'h> {
    http: &'h Http,
    parts: Arc<Parts>,
    principal: Option<Principal>,
    /// The address at the other end of the connection, if known.
    address: Option<IpAddr>,
}

pub(super) async fn post<B>(http: &Http, mut parts: Arc<Parts>, mut body: B, peer: Option<IpAddr>) -> Response
where
    B: HttpBody<Data = Bytes> + Unpin,
{
    hide_secrets(&mut parts);
    let body = match http.guard.read_json(&mut body, &parts, peer).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let Ok(text) = simdutf8::basic::from_utf8(&body) else {
        return reply::error(&RpcError::parse("not UTF-8"));
    };
    // Some clients write a byte order mark.
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii();
    if let Some(loading) = http.service.0.loading_for(text.as_bytes()) {
        loading.await;
    }
    let posted = Posted { http, principal: principal(&parts.extensions), parts, address: peer };
    let dispatched = if text.starts_with('[') {
        // Boxed, so that the future of a single message stays small.
        Box::pin(posted.take_batch(text)).await
    } else {
        posted.take(text)
    };
    match dispatched {
        Ok((stream, exchange)) => reply::to(&http.shared.lifecycle, stream, exchange).await,
        Err(response) => response,
    }
}

impl Posted<'_> {
    /// Passes the messages of a batch to their session.
    async fn take_batch(self, text: &str) -> Dispatched {
        let http = self.http;
        if http.is_sessionless() {
            let revision = named_revision(&self.parts.headers).map_err(|error| reply::error(&error))?;
            let connection = Arc::new(self.connection(http.shared.rooms.of(self.principal_name().as_ref())));
            connection.begin_request(revision);
            let (stream, mut peer) = self.into_peer(None);
            peer.sessionless = true;
            // Before the first message, because the client can disconnect at any time.
            let exchange = Exchange::alone(&http.calls.standalone, Arc::clone(&connection));
            let received = received_batch(&connection, &peer, text).await;
            return dispatched(received, stream, || exchange);
        }
        let session = self.session()?;
        session.set_used();
        let (stream, peer) = self.into_peer(Some(&session));
        let received = received_batch(&session.connection, &peer, text).await;
        dispatched(received, stream, || Exchange::InSession(session))
    }

    /// Passes a message to its session, or to a new connection.
    fn take(self, text: &str) -> Dispatched {
        let malformed = |Malformed { id, error }: Malformed<'_>| reply::json(Frame::error(id.as_ref(), &error));
        let message = Message::read(text).map_err(malformed)?;
        let has_session = || self.parts.headers.contains_key(&SESSION);
        match &message {
            Message::Request { params, .. } if params.meta.protocol_version.is_some() => self.take_alone(message, None),
            Message::Request { method, .. } if method == "initialize" => self.open_session(message),
            _ if self.http.is_sessionless() => self.take_without_session(message),
            // A request without session and revision gets an error response with its id.
            Message::Request { .. } if !has_session() => self.take_alone(message, None),
            _ => self.take_in_session(message),
        }
    }

    /// Passes a message to its session.
    fn take_in_session(self, message: Message<'_>) -> Dispatched {
        let session = self.session()?;
        // A notification does not count as use of the session, because the handshake ends with a notification.
        if !matches!(message, Message::Notification { .. }) {
            session.set_used();
        }
        if !matches!(message, Message::Request { .. }) {
            session.connection.receive_from(&session.connection.peer, Ok(message));
            return Err(StatusCode::ACCEPTED.into_response());
        }
        let (stream, peer) = self.into_peer(Some(&session));
        let mut received = session.connection.receive_from(&peer, Ok(message));
        set_status_of_session(&mut received);
        dispatched(received, stream, || Exchange::InSession(session))
    }

    /// Passes `initialize` to a new connection, and keeps the connection if it is now in a session.
    fn open_session(self, message: Message<'_>) -> Dispatched {
        let (http, name) = (self.http, self.principal_name());
        let connection = self.connection(http.shared.rooms.of_session(name.as_ref()));
        let (_stream, mut peer) = self.into_peer(None);
        peer.sessionless = http.is_sessionless();
        let Received::Reply(frame) = connection.receive_from(&peer, Ok(message)) else {
            return Err(StatusCode::ACCEPTED.into_response());
        };
        if http.service.0.is_stopping() {
            return Err(reply::error(&RpcError::stopping()));
        }
        let mut response = reply::json(frame);
        if connection.negotiated().is_some()
            && !http.is_sessionless()
            && let Err(error) = http.calls.sessions.open(connection, name, peer.owner, &mut response)
        {
            return Err(reply::error(&error));
        }
        Err(response)
    }

    /// Passes a message to a new connection. `revision` is that of a message before 2026-07-28, if the server keeps no
    /// sessions. Any other message is self-contained.
    fn take_alone(self, message: Message<'_>, revision: Option<Revision>) -> Dispatched {
        let http = self.http;
        let connection = self.connection(http.shared.rooms.of(self.principal_name().as_ref()));
        let (stream, mut peer) = self.into_peer(None);
        if let Some(revision) = revision {
            connection.begin_request(revision);
            peer.sessionless = true;
        }
        let mut received = connection.receive_from(&peer, Ok(message));
        if revision.is_some() {
            set_status_of_session(&mut received);
        }
        dispatched(received, stream, || Exchange::alone(&http.calls.standalone, Arc::new(connection)))
    }

    /// Passes a message whose body has no revision to a new connection, where the server keeps no sessions.
    fn take_without_session(self, message: Message<'_>) -> Dispatched {
        // Nothing waits for the message, because a connection ends with its request.
        if !matches!(message, Message::Request { .. }) {
            return Err(StatusCode::ACCEPTED.into_response());
        }
        let revision = named_revision(&self.parts.headers).map_err(|error| reply::error(&error))?;
        // A modern revision is the header of a self-contained request, whose body lacks the revision.
        self.take_alone(message, Some(revision).filter(|revision| !revision.is_modern()))
    }

    /// Returns the session that the request names.
    fn session(&self) -> Result<Arc<HttpSession>, Response> {
        let found = self.http.calls.sessions.find(&self.parts.headers, self.principal_name().as_ref());
        found.map_err(StatusCode::into_response)
    }

    fn principal_name(&self) -> Option<Arc<str>> {
        self.principal.as_ref().map(Principal::shared_name)
    }

    fn connection(&self, room: Room) -> Connection {
        Connection::within(room, &self.http.service, null_peer(), Handle::current())
    }

    /// Returns the stream for the messages of the request, and the peer that writes to it.
    fn into_peer(self, session: Option<&HttpSession>) -> (Arc<Stream>, Peer) {
        let only_answer =
            self.http.service.0.settings.http_rules.json_replies || accepts_only_json(&self.parts.headers);
        let polls = !only_answer && session.is_some_and(HttpSession::polls);
        let stream = Arc::new(Stream::new(polls, only_answer));
        let mut peer = Peer::remote(Arc::new(StreamSink(Arc::clone(&stream))), self.principal);
        peer.owner = match session {
            Some(session) => session.owner.clone(),
            None => Owner::of(&self.parts.extensions, self.address),
        };
        peer.only_answer = only_answer;
        peer.http_parts = self.parts.into();
        (stream, peer)
    }
}

/// Passes a batch to its connection.
async fn received_batch(connection: &Connection, peer: &Peer, text: &str) -> Received<'static> {
    match connection.read_batch(text) {
        Ok(messages) => {
            let reply = connection.take_batch(peer, messages).await;
            reply.map_or(Received::Nothing, Received::Reply)
        }
        Err(refusal) => Received::Reply(refusal),
    }
}

/// Sets the status of these errors to 200. For a client with a handshake, 404 would mean that its session does not exist.
fn set_status_of_session(received: &mut Received<'_>) {
    if let Received::Reply(Frame { status: Some(status @ (400 | 404)), .. }) = received {
        *status = OK;
    }
}

/// Returns the response to a message that was answered at once. If the stream has earlier messages, the answer is sent
/// after them.
fn dispatched(received: Received<'_>, stream: Arc<Stream>, exchange: impl FnOnce() -> Exchange) -> Dispatched {
    // A batch has registered all its requests by now.
    if let Received::Reply(answer) = received
        && let Some(answer) = stream.finish_with(answer)
    {
        return Err(reply::json(answer));
    }
    Ok((stream, exchange()))
}

/// Removes tokens from the headers, and marks cookies as sensitive. The authorization has already read the token.
fn hide_secrets(parts: &mut Arc<Parts>) {
    // Most requests have no secrets, and comparing the names is cheaper than looking them up by hash.
    if !parts.headers.keys().any(|name| [AUTHORIZATION, PROXY_AUTHORIZATION, COOKIE].contains(name)) {
        return;
    }
    let headers = &mut Arc::make_mut(parts).headers;
    for secret in [AUTHORIZATION, PROXY_AUTHORIZATION] {
        headers.remove(secret);
    }
    if let Entry::Occupied(mut cookies) = headers.entry(COOKIE) {
        cookies.iter_mut().for_each(|cookie| cookie.set_sensitive(true));
    }
}

/// Returns the peer of a connection. It sends no messages, because each request over HTTP has a stream of its own.
fn null_peer() -> Peer {
    Peer::remote(DropNotifications::shared(), None)
}
