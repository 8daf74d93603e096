//! The parts of the HTTP request that a tool sees.

use axum::{
    Router,
    extract::Request,
    middleware::{Next, from_fn},
};
use http_body_util::BodyExt;
use mcp_runtime::{Elicited, Result, Server, handoff, prelude::*};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::http::{
    session::Session,
    wire::{Reply, Seat, Trip, event, request, send},
};

/// A value that a middleware of the application adds to the request.
#[derive(Clone)]
struct Tenant(String);

/// Returns the tenant and the header `x-trace` of the current request.
fn seen<S, P>(ctx: &Ctx<S, P>) -> String {
    let Some(parts) = ctx.http_parts() else { return "no request".to_owned() };
    let tenant = parts.extensions.get().map_or("-", |Tenant(tenant)| tenant);
    let trace = parts.headers.get("x-trace").map_or("-", |trace| trace.to_str().unwrap());
    format!("{} {} {tenant} {trace}", parts.method, parts.uri.path())
}

/// Says what it sees.
#[mcp_tool(read_only)]
async fn look(ctx: &Ctx) -> String {
    seen(ctx)
}

/// Says what it sees before and after it has asked.
#[mcp_tool(replayable)]
async fn look_twice(ctx: &Ctx<Trip>) -> Result<String> {
    let before = seen(ctx);
    match ctx.elicit::<Seat>("Which seat?").await? {
        Elicited::Accept(_) => Ok(format!("{before}, {}", seen(ctx))),
        Elicited::Decline | Elicited::Cancel => Ok(before),
    }
}

struct LookInPhases;

/// Says what each phase sees.
#[handoff]
impl LookInPhases {
    async fn before(&self, ctx: &PhaseCtx) -> String {
        seen(ctx)
    }

    async fn client(ctx: &Ctx<Trip>, before: &String) -> Result<String> {
        let _ = ctx.elicit::<Seat>("Which seat?").await?;
        Ok(format!("{before}, {}", seen(ctx)))
    }

    async fn after(&self, ctx: &PhaseCtx, _before: String, client: String) -> String {
        format!("{client}, {}", seen(ctx))
    }
}

/// Says which headers it sees that hold secrets.
#[mcp_tool(read_only)]
async fn look_for_secrets(ctx: &Ctx) -> String {
    let parts = ctx.http_parts().unwrap();
    let there = |name: &str| parts.headers.contains_key(name);
    let debug = format!("{parts:?}");
    format!(
        "{} {} {} {}",
        there("authorization"),
        there("proxy-authorization"),
        parts.headers["cookie"].to_str().unwrap(),
        debug.contains("hunter2")
    )
}

/// Creates an application whose middleware reads the tenant from a header.
fn app() -> Router {
    let service =
        Server::new("parts", "1").tools(tools![look, look_twice, look_for_secrets]).tool(LookInPhases).build().unwrap();
    let tenant = from_fn(async |mut request: Request, next: Next| {
        let tenant = request.headers().get("x-tenant").map(|tenant| Tenant(tenant.to_str().unwrap().to_owned()));
        tenant.map(|tenant| request.extensions_mut().insert(tenant));
        next.run(request).await
    });
    Router::new().merge(service.mount("/mcp")).layer(tenant)
}

async fn modern(app: &Router, headers: &[(&str, &str)], mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let name = params["name"].as_str().unwrap().to_owned();
    let own = [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", &name)];
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    send(app, request("POST", &[&own[..], headers].concat(), &body.to_string())).await.json()
}

fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{message}"))
}

#[tokio::test]
async fn a_call_sees_the_headers_of_its_request_and_the_extensions_of_the_middleware() {
    let reply = modern(&app(), &[("x-tenant", "acme"), ("x-trace", "7")], json!({ "name": "look" })).await;
    assert_eq!(text(&reply), "POST /mcp acme 7");
    let reply = modern(&app(), &[], json!({ "name": "look" })).await;
    assert_eq!(text(&reply), "POST /mcp - -");
}

#[tokio::test]
async fn each_round_of_a_call_sees_its_own_request() {
    for (tool, seen) in [
        ("look_twice", "POST /mcp acme 1, POST /mcp zenith 2"),
        ("look_in_phases", "POST /mcp acme 1, POST /mcp zenith 2, POST /mcp zenith 2"),
    ] {
        let app = app();
        let first = modern(&app, &[("x-tenant", "acme"), ("x-trace", "1")], json!({ "name": tool })).await;
        let answers = json!({ "seat": { "action": "accept", "content": { "seat": "12A" } } });
        let state = &first["result"]["requestState"];
        let more = json!({ "name": tool, "requestState": state, "inputResponses": answers });
        let second = modern(&app, &[("x-tenant", "zenith"), ("x-trace", "2")], more).await;
        assert_eq!(text(&second), seen, "{tool}");
    }
}

#[tokio::test]
async fn a_call_of_a_session_sees_the_request_that_began_it() {
    let session = Session::of(app(), "2025-11-25").await;
    let call = Session::call(1, "look_twice", &json!({})).to_string();
    let headers = [&session.headers()[..], &[("x-tenant", "acme"), ("x-trace", "3")]].concat();
    let response = session.app.clone().oneshot(request("POST", &headers, &call)).await.unwrap();
    let mut stream = response.into_body();
    let mut next = async || loop {
        let frame = stream.frame().await.expect("it goes on").unwrap().into_data().unwrap();
        if let Some(message) = event(str::from_utf8(&frame).unwrap()) {
            return message;
        }
    };
    let question = next().await;
    let result = json!({ "action": "accept", "content": { "seat": "12A" } });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result }).to_string();
    let headers = [&session.headers()[..], &[("x-tenant", "zenith"), ("x-trace", "4")]].concat();
    let taken = Reply::of(session.app.clone().oneshot(request("POST", &headers, &answer)).await.unwrap()).await;
    assert_eq!(taken.status, 202);
    assert_eq!(text(&next().await), "POST /mcp acme 3, POST /mcp acme 3");
}

#[tokio::test]
async fn a_call_never_sees_the_token_of_its_request() {
    let secrets =
        [("authorization", "Bearer hunter2"), ("proxy-authorization", "Basic hunter2"), ("cookie", "a=hunter2")];
    let reply = modern(&app(), &secrets, json!({ "name": "look_for_secrets" })).await;
    assert_eq!(text(&reply), "false false a=hunter2 false");
}

#[tokio::test]
async fn a_call_without_http_sees_no_request() {
    let service = Server::new("parts", "1").tools(tools![look]).build().unwrap();
    let mut client = service.memory();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "look", "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }}});
    client.send(&body.to_string()).await;
    let reply = client.receive().await.unwrap();
    assert_eq!(text(&serde_json::from_str(&reply).unwrap()), "no request");
}
