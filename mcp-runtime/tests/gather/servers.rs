//! Servers that others mount.

use std::sync::{Arc, Mutex};

use axum::{
    extract::Request,
    http::StatusCode,
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use mcp_runtime::{
    CallToolResult, Content, Level, Result, Service,
    complete::CompletionRequest,
    content::{Annotations, Audience},
    prelude::*,
    prompt::PromptMessage,
    remote::Remote,
    resource::ResourceNotFound,
};
use serde::Serialize;

pub(super) const YES: Confirm = Confirm { confirmed: true };

/// How a server is reached, and its era.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Service,
    Http,
    /// A server over HTTP that has only sessions.
    Session,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Service, Self::Http, Self::Session];
}

/// A server that runs, and what its tools have done.
pub(super) struct Started {
    pub(super) service: Service,
    pub(super) remote: Remote,
    pub(super) done: Done,
}

impl Started {
    pub(super) async fn new(kind: Kind) -> Self {
        Self::of(kind, shop).await
    }

    pub(super) async fn of(kind: Kind, server: impl FnOnce(&Done) -> Server) -> Self {
        let done = Done::default();
        let service = server(&done).build().unwrap();
        let remote = match kind {
            Kind::Service => Remote::service(&service),
            Kind::Http => Remote::http(serve(service.router()).await),
            Kind::Session => Remote::http(serve(service.router().layer(middleware::from_fn(only_sessions))).await),
        };
        Self { service, remote, done }
    }
}

/// Serves a router on a free port. Returns the URL of the endpoint.
pub(super) async fn serve(router: axum::Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, under_mcp(router)).await });
    url
}

/// Serves a router at the path `/mcp`.
pub(super) fn under_mcp(router: axum::Router) -> axum::Router {
    axum::Router::new().nest("/mcp", router)
}

/// Refuses what servers before 2026-07-28 do not know.
async fn only_sessions(request: Request, next: Next) -> Response {
    match request.headers().get("mcp-protocol-version") {
        Some(version) if version == "2026-07-28" => StatusCode::BAD_REQUEST.into_response(),
        _ => next.run(request).await,
    }
}

/// A gateway that mounts one server as `m`.
pub(super) fn chained(remote: &Remote) -> Service {
    Server::new("chained", "1").mount("m", remote).build().unwrap()
}

/// What the tools have done, in order.
#[derive(Clone, Default)]
pub(super) struct Done(Arc<Mutex<Vec<String>>>);

impl Done {
    pub(super) fn add(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    pub(super) fn take(&self) -> Vec<String> {
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

#[derive(Serialize)]
struct Stock {
    of: String,
    left: u32,
}

/// Says how much is left.
#[mcp_tool(read_only, title = "Stock")]
async fn stock(of: String) -> Result<CallToolResult> {
    if of == "nothing" {
        return Err("there is no nothing".into());
    }
    let told = Content::text(format!("3 of {of} left"));
    let told = told.annotated(Annotations::new().audience(Audience::User).priority(0.5));
    Ok(CallToolResult::json(&Stock { of, left: 3 })?.with(told).meta("shelf", 7))
}

/// Counts everything.
#[mcp_tool(read_only)]
async fn count(ctx: &Ctx) -> &'static str {
    ctx.log(Level::Info, "counting");
    ctx.progress(1.0).total(2.0);
    ctx.progress(2.0).total(2.0);
    "counted"
}

/// Deletes everything.
#[mcp_tool(scopes("shop:admin"))]
async fn delete(done: &Done) -> &'static str {
    done.add("delete");
    "deleted"
}

async fn kinds(request: CompletionRequest) -> Vec<String> {
    let first = request.argument("first").unwrap_or("none");
    vec!["tea".to_owned(), "table".to_owned(), format!("t{first}")]
}

/// Praises a thing.
#[mcp_prompt(title = "Praise")]
async fn praise(
    ctx: &Ctx<Booking>,
    /// What to praise.
    #[complete(kinds)]
    what: String,
    first: Option<String>,
) -> Result<Vec<PromptMessage>> {
    let much = if first.is_some() { ctx.elicit::<Confirm>("Much?").await?.accepted().is_some() } else { false };
    Ok(vec![PromptMessage::user(format!("Praise {what}{}", if much { " much" } else { "" }))])
}

/// The prices.
#[mcp_resource("shop://prices", mime_type = "text/plain")]
async fn prices() -> &'static str {
    "tea: 3"
}

/// One price.
#[mcp_resource("shop://prices/{of}")]
async fn price(#[complete(kinds)] of: String) -> Result<String> {
    if of == "nothing" { Err(ResourceNotFound.into()) } else { Ok(format!("{of}: 3")) }
}

pub(super) fn shop(done: &Done) -> Server {
    Server::new("shop", "1")
        .state(done.clone())
        .dynamic_tools()
        .dynamic_resources()
        .tool(Book)
        .tools(tools![stock, count])
        .prompts(prompts![praise])
        .resources(resources![prices, price])
}

/// A page of the archive.
#[mcp_resource("archive://{+path}")]
async fn archive(path: String) -> String {
    format!("archived {path}")
}

/// A server with pages.
pub(super) fn archive_server(_: &Done) -> Server {
    Server::new("archive", "1").resources(resources![archive])
}

/// A shop with a tool that needs a scope.
pub(super) fn shop_with_admin(done: &Done) -> Server {
    shop(done).tools(tools![delete])
}
