//! Handles `POST`, whose body is one message or a batch.

use std::{
    net::IpAddr,
    sync::{Arc, LazyLock},
};

use axum::{
    body::Body,
    http::{
        HeaderMap, StatusCode,
        header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, Entry, PROXY_AUTHORIZATION},
        request::Parts,
    },
    response::Response,
};
use tokio::runtime::Handle;

use super::{
    Http, empty,
    guard::principal,
    owner::Owner,
    reply::{self, Exchange},
    session::HttpSession,
    sessions::SESSION,
    stream::{Stream, StreamOutlet},
};
use crate::{
    call::{Outlet, Principal, request::Peer},
    protocol::{
        error::RpcError,
        frame::{Frame, OK},
        message::{Malformed, Message},
    },
    server::connection::{Connection, Received},
};

/// An outlet that discards all messages. A connection over HTTP has no outlet of its own, because each request has one.
struct NullOutlet;

/// The outcome of passing a message to its connection.
enum Dispatched {
    Answered(Response),
    /// The answer, if the message needs one, will be sent on this stream.
    Pending(Arc<Stream>, Exchange),
}

/// The connection that handles a message.
enum PostTarget {
    /// A connection made for this message.
    Standalone,
    /// A connection made for this message. It is kept if the message opens a session.
    NewSession,
    InSession,
}

pub(super) async fn post(http: &Http, mut parts: Arc<Parts>, body: Body, peer: Option<IpAddr>) -> Response {
    hide_secrets(&mut parts);
    if !is_json(&parts.headers) {
        return empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let body = match http.guard.read(body, &parts, peer).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let principal = principal(&parts.extensions);
    let Ok(text) = str::from_utf8(&body) else {
        return reply::json(&Frame::error(None, &RpcError::parse("not UTF-8")), None);
    };
    let text = text.trim_ascii();
    let taken = if text.starts_with('[') {
        // Boxed, so that the future of a single message stays small.
        Box::pin(take_batch(http, parts, principal, text)).await
    } else {
        take(http, parts, peer, principal, text)
    };
    match taken {
        Dispatched::Answered(response) => response,
        Dispatched::Pending(stream, exchange) => reply::to(&http.shared.lifecycle, stream, exchange).await,
    }
}

/// Passes the messages of a batch to their session.
async fn take_batch(http: &Http, parts: Arc<Parts>, principal: Option<Principal>, text: &str) -> Dispatched {
    let name = principal.as_ref().map(Principal::shared_name);
    let session = match http.sessions.find(&parts.headers, name.as_ref()) {
        Ok(session) => session,
        Err(status) => return Dispatched::Answered(empty(status)),
    };
    session.set_used();
    let (stream, peer) = peer_in(&session, parts, principal);
    let received = match session.connection.read_batch(text) {
        Ok(messages) => {
            let reply = session.connection.take_batch(&peer, messages).await;
            reply.map_or(Received::Nothing, Received::Reply)
        }
        Err(refusal) => Received::Reply(refusal),
    };
    Dispatched::of(received, stream, || Exchange::InSession(session))
}

/// Passes a message to its session, or to a new connection.
fn take(
    http: &Http,
    parts: Arc<Parts>,
    address: Option<IpAddr>,
    principal: Option<Principal>,
    text: &str,
) -> Dispatched {
    let name = principal.as_ref().map(Principal::shared_name);
    let message = Message::read(text);
    if let Err(Malformed { id, error }) = &message {
        return Dispatched::Answered(reply::json(&Frame::error(id.as_ref(), error), None));
    }
    match target(&message, &parts.headers) {
        PostTarget::InSession => {
            let session = match http.sessions.find(&parts.headers, name.as_ref()) {
                Ok(session) => session,
                Err(status) => return Dispatched::Answered(empty(status)),
            };
            // A notification does not count as use of the session, because the handshake ends with a notification.
            if !matches!(message, Ok(Message::Notification { .. })) {
                session.set_used();
            }
            let (stream, peer) = peer_in(&session, parts, principal);
            let asks = matches!(message, Ok(Message::Request { .. }));
            let mut received = session.connection.receive_from(&peer, message);
            // In a session, send these errors with the status 200: 404 would mean that the session does not exist.
            if let Received::Reply(Frame { status: Some(status @ (400 | 404)), .. }) = &mut received
                && asks
            {
                *status = OK;
            }
            Dispatched::of(received, stream, || Exchange::InSession(session))
        }
        target => {
            let room = match target {
                PostTarget::NewSession => http.shared.rooms.of_session(name.as_ref()),
                _ => http.shared.rooms.of(name.as_ref()),
            };
            let connection = Connection::within(room, &http.service, null_peer(), Handle::current());
            let (stream, mut peer) = peer(Stream::default(), principal);
            peer.owner = Owner::of(&parts.extensions, address);
            peer.http_parts = parts.into();
            match connection.receive_from(&peer, message) {
                Received::Reply(_) if matches!(target, PostTarget::NewSession) && http.service.0.is_stopping() => {
                    Dispatched::Answered(reply::full(&RpcError::stopping()))
                }
                Received::Reply(frame) if matches!(target, PostTarget::NewSession) && frame.status == Some(OK) => {
                    Dispatched::Answered(http.sessions.open(connection, name, peer.owner, reply::json(&frame, None)))
                }
                received => Dispatched::of(received, stream, || {
                    let connection = Arc::new(connection);
                    http.standalone.add(&connection);
                    Exchange::Alone(Some(connection))
                }),
            }
        }
    }
}

impl Dispatched {
    fn of(received: Received<'_>, stream: Arc<Stream>, exchange: impl FnOnce() -> Exchange) -> Self {
        match received {
            // If the stream has earlier messages, the answer is sent after them.
            Received::Reply(answer) => match stream.finish_with(answer) {
                Some(answer) => Self::Answered(reply::json(&answer, None)),
                None => Self::Pending(stream, exchange()),
            },
            // A batch has registered all its requests by now.
            Received::Nothing | Received::Batch(_) => Self::Pending(stream, exchange()),
        }
    }
}

fn target(message: &Result<Message<'_>, Malformed<'_>>, headers: &HeaderMap) -> PostTarget {
    match message {
        Ok(Message::Request { params, .. }) if params.meta.protocol_version.is_some() => PostTarget::Standalone,
        Ok(Message::Request { method, .. }) if method == "initialize" => PostTarget::NewSession,
        // A request without session and revision gets an error response with its id.
        Ok(Message::Request { .. }) if !headers.contains_key(SESSION) => PostTarget::Standalone,
        _ => PostTarget::InSession,
    }
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

/// Returns the stream for the messages of a session's request, and the peer that writes to it.
fn peer_in(session: &HttpSession, parts: Arc<Parts>, principal: Option<Principal>) -> (Arc<Stream>, Peer) {
    let (stream, mut peer) = peer(if session.polls() { Stream::polled() } else { Stream::default() }, principal);
    peer.owner = session.owner.clone();
    peer.http_parts = parts.into();
    (stream, peer)
}

/// Returns the stream for the messages of a request, and the peer that writes to it.
fn peer(stream: Stream, principal: Option<Principal>) -> (Arc<Stream>, Peer) {
    let stream = Arc::new(stream);
    let peer = Peer::remote(Arc::new(StreamOutlet(Arc::clone(&stream))), principal);
    (stream, peer)
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(value)) = headers.get(CONTENT_TYPE).map(|value| value.to_str()) else { return false };
    let kind = value.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn null_peer() -> Peer {
    static NULL: LazyLock<Arc<dyn Outlet>> = LazyLock::new(|| Arc::new(NullOutlet));
    Peer::remote(Arc::clone(&NULL), None)
}

impl Outlet for NullOutlet {
    fn send(&self, _: Frame) {}
}
