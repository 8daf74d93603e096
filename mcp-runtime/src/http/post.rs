//! A message that was posted.

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
    Http, body, empty,
    owner::Owner,
    principal,
    reply::{self, Exchange},
    session::Session,
    sessions::SESSION,
    stream::{Sender, Stream},
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

/// Where nobody listens: each request says where its own answer goes.
struct Nobody;

/// A message that was taken.
enum Taken {
    Answered(Response),
    /// Its answer is said on the stream, or none is.
    Waits(Arc<Stream>, Exchange),
}

/// Who takes a message.
enum Taker {
    /// A connection that is made for it.
    Alone,
    /// A connection that is made for it and stays, if it opens a session.
    Opened,
    InSession,
}

pub(super) async fn post(http: &Http, mut parts: Arc<Parts>, body: Body, peer: Option<IpAddr>) -> Response {
    hide_secrets(&mut parts);
    if !is_json(&parts.headers) {
        return empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let owner = || Owner::of(&parts.extensions, peer);
    let body = match body::read(body, http, owner).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let principal = principal(&parts.extensions);
    let Ok(text) = str::from_utf8(&body) else {
        return reply::json(&Frame::error(None, &RpcError::parse("not UTF-8")), None);
    };
    let text = text.trim_ascii();
    let taken = if text.starts_with('[') {
        // Boxed, so that the future of a plain message stays small.
        Box::pin(take_batch(http, parts, principal, text)).await
    } else {
        take(http, parts, peer, principal, text)
    };
    match taken {
        Taken::Answered(response) => response,
        Taken::Waits(stream, exchange) => reply::to(&http.shared.lifecycle, stream, exchange).await,
    }
}

/// Has an array of messages taken by its session.
async fn take_batch(http: &Http, parts: Arc<Parts>, principal: Option<Principal>, text: &str) -> Taken {
    let name = principal.as_ref().map(Principal::shared_name);
    let session = match http.sessions.find(&parts.headers, name.as_ref()) {
        Ok(session) => session,
        Err(status) => return Taken::Answered(empty(status)),
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
    Taken::of(received, stream, || Exchange::InSession(session))
}

/// Has a message taken by the session or the connection that it is for.
fn take(http: &Http, parts: Arc<Parts>, address: Option<IpAddr>, principal: Option<Principal>, text: &str) -> Taken {
    let name = principal.as_ref().map(Principal::shared_name);
    let message = Message::read(text);
    if let Err(Malformed { id, error }) = &message {
        return Taken::Answered(reply::json(&Frame::error(id.as_ref(), error), None));
    }
    match taker(&message, &parts.headers) {
        Taker::InSession => {
            let session = match http.sessions.find(&parts.headers, name.as_ref()) {
                Ok(session) => session,
                Err(status) => return Taken::Answered(empty(status)),
            };
            // What a client sends to open its session is no use of it.
            if !matches!(message, Ok(Message::Notification { .. })) {
                session.set_used();
            }
            let (stream, peer) = peer_in(&session, parts, principal);
            let asks = matches!(message, Ok(Message::Request { .. }));
            let mut received = session.connection.receive_from(&peer, message);
            // A status of these is the transport's own in a session: 404 would say that it is gone.
            if let Received::Reply(Frame { status: Some(status @ (400 | 404)), .. }) = &mut received
                && asks
            {
                *status = OK;
            }
            Taken::of(received, stream, || Exchange::InSession(session))
        }
        taker => {
            let room = match taker {
                Taker::Opened => http.rooms.of_session(name.as_ref()),
                _ => http.rooms.of(name.as_ref()),
            };
            let connection = Connection::within(room, &http.service, nobody(), Handle::current());
            let (stream, mut peer) = peer(Stream::default(), principal);
            peer.owner = Owner::of(&parts.extensions, address);
            peer.http_parts = Some(parts);
            match connection.receive_from(&peer, message) {
                Received::Reply(_) if matches!(taker, Taker::Opened) && http.service.0.is_stopping() => {
                    Taken::Answered(reply::full(&RpcError::stopping()))
                }
                Received::Reply(frame) if matches!(taker, Taker::Opened) && frame.status == Some(OK) => {
                    Taken::Answered(http.sessions.open(connection, name, peer.owner, reply::json(&frame, None)))
                }
                received => Taken::of(received, stream, || {
                    let connection = Arc::new(connection);
                    http.standalone.add(&connection);
                    Exchange::Alone(Some(connection))
                }),
            }
        }
    }
}

impl Taken {
    fn of(received: Received<'_>, stream: Arc<Stream>, exchange: impl FnOnce() -> Exchange) -> Self {
        match received {
            // Behind what was said, if something was.
            Received::Reply(answer) => match stream.finish_with(answer) {
                Some(answer) => Self::Answered(reply::json(&answer, None)),
                None => Self::Waits(stream, exchange()),
            },
            // What a batch leads to is known by now.
            Received::Nothing | Received::Batch(_) => Self::Waits(stream, exchange()),
        }
    }
}

fn taker(message: &Result<Message<'_>, Malformed<'_>>, headers: &HeaderMap) -> Taker {
    match message {
        Ok(Message::Request { params, .. }) if params.meta.protocol_version.is_some() => Taker::Alone,
        Ok(Message::Request { method, .. }) if method == "initialize" => Taker::Opened,
        // It is of no session and does not stand alone either: told so by its id.
        Ok(Message::Request { .. }) if !headers.contains_key(SESSION) => Taker::Alone,
        _ => Taker::InSession,
    }
}

/// Takes out what is for whoever verifies it, and nobody else.
fn hide_secrets(parts: &mut Arc<Parts>) {
    // Most requests have none, and to compare is less than to hash.
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

/// Where what is said about a request of a session goes.
fn peer_in(session: &Session, parts: Arc<Parts>, principal: Option<Principal>) -> (Arc<Stream>, Peer) {
    let (stream, mut peer) = peer(if session.polls() { Stream::polled() } else { Stream::default() }, principal);
    peer.owner = session.owner.clone();
    peer.http_parts = Some(parts);
    (stream, peer)
}

/// Where what is said about a request goes.
fn peer(stream: Stream, principal: Option<Principal>) -> (Arc<Stream>, Peer) {
    let stream = Arc::new(stream);
    let peer = Peer::remote(Arc::new(Sender(Arc::clone(&stream))), principal);
    (stream, peer)
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(value)) = headers.get(CONTENT_TYPE).map(|value| value.to_str()) else { return false };
    let kind = value.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn nobody() -> Peer {
    static NOBODY: LazyLock<Arc<dyn Outlet>> = LazyLock::new(|| Arc::new(Nobody));
    Peer::remote(Arc::clone(&NOBODY), None)
}

impl Outlet for Nobody {
    fn send(&self, _: Frame) {}
}
