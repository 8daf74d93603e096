//! A message that was posted.

use std::sync::Arc;

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, header::CONTENT_TYPE},
    response::Response,
};
use tokio::{
    runtime::Handle,
    sync::mpsc::{UnboundedSender, unbounded_channel},
};

use super::{Http, body, empty, principal, reply, sessions::SESSION};
use crate::{
    call::{Outlet, request::Peer},
    server::connection::{Connection, Received},
    wire::{
        error::RpcError,
        frame::Frame,
        message::{Malformed, Message},
    },
};

/// Where what is said about one request goes: into its response.
struct Sender(UnboundedSender<Frame>);

/// Where nobody listens: each request says where its own answer goes.
struct Nobody;

/// What a message is, as far as it matters who takes it.
enum Kind {
    /// A request that stands alone.
    Modern,
    /// The request that opens a session.
    Initialize,
    /// Anything of a session.
    InSession,
    /// No message.
    Garbage(RpcError),
}

pub(super) async fn post(http: &Arc<Http>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !is_json(&parts.headers) {
        return empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let body = match body::read(body, &http.service.0.limits).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let (sender, frames) = unbounded_channel();
    let principal = principal(&parts.extensions);
    let peer = Peer::new(Arc::new(Sender(sender)), principal.clone());
    let peer = Peer { headers: Some(parts.headers.clone()), ..peer };
    match kind(&body, &parts.headers) {
        Kind::Modern => {
            let connection = Connection::new(&http.service, nobody(), Handle::current());
            let connection = connection.sharing(http.rooms.of(principal.as_ref()));
            let received = connection.receive_from(&peer, &body);
            drop(peer);
            reply::to(received, frames, Arc::new(connection), true).await
        }
        Kind::Initialize => {
            let connection = Connection::new(&http.service, nobody(), Handle::current());
            let connection = connection.sharing(http.rooms.of_session(principal.as_ref()));
            let response = match connection.receive_from(&peer, &body) {
                Received::Reply(frame) => reply::json(&frame, None),
                Received::Nothing | Received::Busy(_) => return empty(StatusCode::BAD_REQUEST),
            };
            if response.status() == StatusCode::OK {
                http.sessions.open(connection, principal, response)
            } else {
                response
            }
        }
        Kind::Garbage(error) => reply::json(&Frame::error(None, &error), None),
        Kind::InSession => match http.sessions.find(&parts.headers, principal.as_ref()) {
            Ok(connection) => {
                let received = connection.receive_from(&peer, &body);
                drop(peer);
                reply::to(received, frames, connection, false).await
            }
            Err(status) => empty(status),
        },
    }
}

fn kind(body: &[u8], headers: &HeaderMap) -> Kind {
    let Ok(text) = str::from_utf8(body) else { return Kind::Garbage(RpcError::parse("not UTF-8")) };
    let text = text.trim_ascii();
    if text.starts_with('[') {
        // An array of messages is a session's, or nothing.
        return Kind::InSession;
    }
    match Message::read(text) {
        Ok(Message::Request { params, .. }) if params.meta.protocol_version.is_some() => Kind::Modern,
        Ok(Message::Request { method, .. }) if method == "initialize" => Kind::Initialize,
        // It is of no session and does not stand alone either: told so by its id.
        Ok(Message::Request { .. }) if !headers.contains_key(SESSION) => Kind::Modern,
        Err(Malformed { id: None, error }) => Kind::Garbage(error),
        _ => Kind::InSession,
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(Ok(value)) = headers.get(CONTENT_TYPE).map(|value| value.to_str()) else { return false };
    let kind = value.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

fn nobody() -> Peer {
    Peer::new(Arc::new(Nobody), None)
}

impl Outlet for Nobody {
    fn send(&self, _: Frame) {}
}

impl Outlet for Sender {
    fn send(&self, frame: Frame) {
        // Whoever does not listen any more misses nothing.
        let _ = self.0.send(frame);
    }
}
