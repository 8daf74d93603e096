//! Servers that others mount.

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

use crate::support::remote_servers::{Book, Booking, Confirm};
pub(super) use crate::support::remote_servers::{Done, Kind, Started, YES, serve, under_mcp};

impl Started {
    pub(super) async fn new(kind: Kind) -> Self {
        Self::of(kind, shop).await
    }
}

/// A gateway that mounts one server as `m`.
pub(super) fn chained(remote: &Remote) -> Service {
    Server::new("chained", "1").mount("m", remote).build().unwrap()
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
