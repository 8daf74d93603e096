//! A message that was posted.

use std::{
    net::IpAddr,
    sync::{Arc, LazyLock},
};

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE, request::Parts},
    response::Response,
};
use tokio::runtime::Handle;

use super::{
    Http, body, empty,
    owner::Owner,
    principal,
    reply::{self, Exchange},
    sessions::SESSION,
    stream::{Sender, Stream},
};
use crate::{
    call::{Outlet, Principal, request::Peer},
    server::connection::{Connection, Received},
    wire::{
        error::RpcError,
        frame::{Frame, OK},
        message::{Malformed, Message},
    },
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

pub(super) async fn post(http: &Http, request: Request, peer: Option<IpAddr>) -> Response {
    let (parts, body) = request.into_parts();
    if !is_json(&parts.headers) {
        return empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let owner = || Owner::of(&parts.extensions, peer);
    let body = match body::read(body, &http.service.0.limits, &http.large_bodies, owner).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let principal = principal(&parts.extensions);
    match take(http, parts, peer, principal, &body) {
        Taken::Answered(response) => response,
        Taken::Waits(stream, exchange) => reply::to(&http.service, stream, exchange).await,
    }
}

/// Has a message taken by whoever it is for.
fn take(http: &Http, parts: Parts, address: Option<IpAddr>, principal: Option<Principal>, body: &[u8]) -> Taken {
    let Parts { headers, extensions, .. } = parts;
    let name = principal.as_ref().map(Principal::shared_name);
    let Ok(text) = str::from_utf8(body) else {
        return Taken::Answered(reply::json(&Frame::error(None, &RpcError::parse("not UTF-8")), None));
    };
    let text = text.trim_ascii();
    // An array of messages is a session's, or nothing.
    let message = (!text.starts_with('[')).then(|| Message::read(text));
    if let Some(Err(Malformed { id, error })) = &message {
        return Taken::Answered(reply::json(&Frame::error(id.as_ref(), error), None));
    }
    match taker(message.as_ref(), &headers) {
        Taker::InSession => {
            let session = match http.sessions.find(&headers, name.as_ref()) {
                Ok(session) => session,
                Err(status) => return Taken::Answered(empty(status)),
            };
            // What a client sends to open its session is no use of it.
            if !matches!(message, Some(Ok(Message::Notification { .. }))) {
                session.set_used();
            }
            let (stream, mut peer) =
                peer(if session.polls() { Stream::polled() } else { Stream::default() }, principal);
            peer.headers = Some(headers);
            let asks = matches!(message, Some(Ok(Message::Request { .. })));
            let mut received = match message {
                Some(message) => session.connection.receive_from(&peer, message),
                None => session.connection.batch(&peer, text),
            };
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
            peer.headers = Some(headers);
            peer.owner = Owner::of(&extensions, address);
            let received = message.map_or(Received::Nothing, |message| connection.receive_from(&peer, message));
            match received {
                Received::Reply(_) if matches!(taker, Taker::Opened) && http.service.0.lifecycle.is_stopping() => {
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
    fn of(received: Received, stream: Arc<Stream>, exchange: impl FnOnce() -> Exchange) -> Self {
        match received {
            // Behind what was said, if something was.
            Received::Reply(answer) => match stream.finish_with(answer) {
                Some(answer) => Self::Answered(reply::json(&answer, None)),
                None => Self::Waits(stream, exchange()),
            },
            Received::Nothing => Self::Waits(stream, exchange()),
            Received::Busy(_) => Self::Answered(reply::busy()),
        }
    }
}

fn taker(message: Option<&Result<Message<'_>, Malformed<'_>>>, headers: &HeaderMap) -> Taker {
    match message {
        Some(Ok(Message::Request { params, .. })) if params.meta.protocol_version.is_some() => Taker::Alone,
        Some(Ok(Message::Request { method, .. })) if method == "initialize" => Taker::Opened,
        // It is of no session and does not stand alone either: told so by its id.
        Some(Ok(Message::Request { .. })) if !headers.contains_key(SESSION) => Taker::Alone,
        _ => Taker::InSession,
    }
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
