//! Servers that other servers call or mount.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use mcp_runtime::{Result, Service, prelude::*, remote::Remote};
use tokio::net::TcpListener;

pub(crate) const YES: Confirm = Confirm { confirmed: true };

/// How a server is reached, and its era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Service,
    Http,
    /// A server over HTTP before 2026-07-28, which has sessions.
    Session,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Service, Self::Http, Self::Session];
}

/// A server that runs, and what its tools have done.
pub(crate) struct Started {
    pub(crate) service: Service,
    /// It has the name of the server.
    pub(crate) remote: Remote,
    pub(crate) done: Done,
    /// The bodies of the requests over HTTP that it has got.
    pub(crate) requests: Requests,
}

impl Started {
    pub(crate) async fn of(kind: Kind, server: impl FnOnce(&Done) -> Server) -> Self {
        let (done, requests) = (Done::default(), Requests::default());
        let service = server(&done).build().unwrap();
        let in_process = Remote::service(&service);
        let remote = match kind {
            Kind::Service => in_process,
            Kind::Http | Kind::Session => {
                let gate = Gate { has_sessions: kind == Kind::Session, requests: requests.clone() };
                let url = serve(service.router().layer(from_fn_with_state(gate, pass))).await;
                Remote::http(url).named(in_process.name())
            }
        };
        Self { service, remote, done, requests }
    }
}

/// Serves a router at a free port, at the path `/mcp`. Returns the URL.
pub(crate) async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, under_mcp(router)).await });
    url
}

/// Serves a router at the path `/mcp`.
pub(crate) fn under_mcp(router: Router) -> Router {
    Router::new().nest("/mcp", router)
}

#[derive(Clone, Default)]
pub(crate) struct Requests(Arc<Mutex<Vec<String>>>);

impl Requests {
    /// Returns how many requests had this method.
    pub(crate) fn count(&self, method: &str) -> usize {
        let method = format!(r#""method":"{method}""#);
        self.0.lock().unwrap().iter().filter(|request| request.contains(&method)).count()
    }

    pub(crate) fn last(&self) -> String {
        self.0.lock().unwrap().last().cloned().unwrap_or_default()
    }
}

#[derive(Clone)]
struct Gate {
    has_sessions: bool,
    requests: Requests,
}

/// Notes each request. Refuses those of 2026-07-28 if the server is of an earlier revision.
async fn pass(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let text = String::from_utf8_lossy(&body).into_owned();
    let is_modern = text.contains("io.modelcontextprotocol/protocolVersion");
    gate.requests.0.lock().unwrap().push(text);
    if gate.has_sessions && is_modern {
        return (StatusCode::BAD_REQUEST, "Bad Request: Server not initialized").into_response();
    }
    next.run(Request::from_parts(parts, Body::from(body))).await
}

/// What the tools have done, in order.
#[derive(Clone, Default)]
pub(crate) struct Done(Arc<Mutex<Vec<String>>>);

impl Done {
    pub(crate) fn add(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    pub(crate) fn has(&self, what: &str) -> bool {
        self.0.lock().unwrap().iter().any(|done| done == what)
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[elicits]
pub(crate) enum Booking {
    Confirm { confirmed: bool },
}

pub(crate) struct Book;

/// Books a room or a table, if the user confirms it.
#[handoff]
impl Book {
    async fn before(&self, done: &Done, what: String) -> String {
        done.add(format!("hold {what}"));
        what
    }

    async fn client(ctx: &Ctx<Booking>, what: &String) -> Result<bool> {
        Ok(ctx.elicit::<Confirm>(format!("Book {what}?")).strict().await?.confirmed)
    }

    async fn after(&self, done: &Done, what: String, confirmed: bool) -> Result<String> {
        if !confirmed {
            return Err(format!("{what} is not wanted").into());
        }
        done.add(format!("book {what}"));
        Ok(format!("{what} booked"))
    }
}
