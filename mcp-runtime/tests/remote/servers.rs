//! Servers that other servers call.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
};
use mcp_runtime::{Result, prelude::*, remote::Remote};
use tokio::{net::TcpListener, time::sleep};

pub(super) const YES: Confirm = Confirm { confirmed: true };

/// How a server is reached, and its era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Service,
    Http,
    /// A server before 2026-07-28, which has sessions.
    Session,
}

/// A server that runs, and what its tools have done.
pub(crate) struct Started {
    pub(crate) remote: Remote,
    pub(crate) done: Done,
    /// The bodies of the requests that it has got.
    pub(crate) requests: Requests,
}

impl Started {
    pub(super) async fn new(kind: Kind) -> Self {
        Self::of(kind, "shop", shop).await
    }

    pub(super) async fn of(kind: Kind, name: &str, server: impl FnOnce(&Done) -> Server) -> Self {
        let (done, requests) = (Done::default(), Requests::default());
        let service = server(&done).build().unwrap();
        let remote = match kind {
            Kind::Service => Remote::service(&service),
            Kind::Http | Kind::Session => {
                let gate = Gate { has_sessions: kind == Kind::Session, requests: requests.clone() };
                Remote::http(serve(service.router().layer(from_fn_with_state(gate, pass))).await)
            }
        };
        Self { remote: remote.named(name), done, requests }
    }
}

/// Serves a router at a free port, at the path `/mcp`. Returns the URL.
pub(super) async fn serve(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().nest("/mcp", router)).await });
    url
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
    pub(super) fn add(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    pub(super) fn has(&self, what: &str) -> bool {
        self.0.lock().unwrap().iter().any(|done| done == what)
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[elicits]
pub(super) enum Booking {
    Confirm { confirmed: bool },
}

struct Book;

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

/// Writes a line to the log.
#[mcp_tool]
async fn note(done: &Done, line: String) -> Text<usize> {
    done.add(format!("note {line}"));
    Text(line.len())
}

/// Asks the model of the client.
#[mcp_tool(replayable, requires(sampling))]
async fn describe(ctx: &Ctx, what: String) -> Result<String> {
    Ok(ctx.sample(format!("Describe a {what}.")).await?.text)
}

/// Works for a while, and says so.
#[mcp_tool]
async fn work(ctx: &Ctx, steps: u32) -> String {
    ctx.log(Level::Info, "works");
    for step in 1..=steps {
        sleep(Duration::from_millis(60)).await;
        ctx.progress(f64::from(step)).total(f64::from(steps)).message("a step");
    }
    format!("{steps} steps")
}

/// Never ends. Notes that it has begun and that it was cancelled.
#[mcp_tool]
async fn wait(done: &Done, ctx: &Ctx) {
    struct Cancelled(Done);
    impl Drop for Cancelled {
        fn drop(&mut self) {
            self.0.add("cancelled");
        }
    }
    done.add("wait");
    let _cancelled = Cancelled(done.clone());
    ctx.progress(0.1);
    std::future::pending::<()>().await;
}

/// Needs a header that repeats its argument.
#[mcp_tool]
async fn regional(#[schemars(extend("x-mcp-header" = "Region"))] region: String) -> String {
    region
}

pub(super) fn shop(done: &Done) -> Server {
    Server::new("shop", "1").state(done.clone()).tool(Book).tools(tools![note, describe, work, wait, regional])
}

/// Counts the connections of a server that does with each what `act` says.
pub(super) struct BadServer {
    pub(super) url: String,
    pub(super) connections: Arc<AtomicUsize>,
}

impl BadServer {
    /// Answers each connection with these bytes, and then closes it. `None` never answers.
    pub(super) async fn new(answer: Option<Vec<u8>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let connections = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&connections);
        tokio::spawn(async move {
            let mut open = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                let answer = answer.clone();
                open.push(tokio::spawn(async move {
                    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
                    let mut request = vec![0; 64 * 1024];
                    let _ = stream.read(&mut request).await;
                    match answer {
                        Some(answer) => drop(stream.write_all(&answer).await),
                        None => std::future::pending().await,
                    }
                }));
            }
        });
        Self { url, connections }
    }
}
