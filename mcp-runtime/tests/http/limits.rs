//! Limits: clients that send too much, too slowly, too little, or invalid data.

mod bodies;
mod connections;
mod draining;
mod heads;
mod open_calls;
mod overload;
#[cfg(target_os = "linux")]
mod process;
mod quotas;
pub(crate) mod socket;
mod wrong_requests;

use mcp_runtime::{Elicited, Result, Server, http::HttpLimits, prelude::*};
use serde_json::{Value, json};
use std::time::Duration;

use crate::http::wire::{Seat, Trip};

/// Takes its time.
#[mcp_tool(read_only)]
async fn nap(milliseconds: u64) -> String {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "rested".to_owned()
}

/// Holds a text for a time.
#[mcp_tool(read_only)]
async fn keep(text: String, milliseconds: u64) -> String {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    format!("kept {} bytes", text.len())
}

/// Says something, and takes its time.
#[mcp_tool(read_only)]
async fn murmur(ctx: &Ctx, milliseconds: u64) -> &'static str {
    ctx.log(Level::Info, "listen");
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "said"
}

/// Sends its client away until it is done.
#[mcp_tool]
async fn build(ctx: &Ctx, milliseconds: u64) -> &'static str {
    ctx.close_stream(Duration::from_millis(50));
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    "built"
}

/// Says much.
#[mcp_tool(read_only)]
async fn recite(bytes: u64) -> String {
    "a".repeat(usize::try_from(bytes).unwrap())
}

/// Asks for a seat.
#[mcp_tool(replayable)]
async fn book(ctx: &Ctx<Trip>) -> Result<String> {
    match ctx.elicit::<Seat>("Which seat?").await? {
        Elicited::Accept(Seat { seat }) => Ok(format!("booked {seat}")),
        Elicited::Decline | Elicited::Cancel => Ok("not booked".to_owned()),
    }
}

pub(crate) fn server(limits: HttpLimits) -> Server {
    Server::new("limited", "1").http_limits(limits).tools(tools![nap, keep, murmur, build, recite, book])
}

/// Returns a call of the newest revision, and its headers.
pub(crate) fn call(name: &str, arguments: &Value) -> (String, String) {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": name, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
            "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "1" },
            "io.modelcontextprotocol/logLevel": "info",
        },
    }});
    let headers = format!(
        "host: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n\
         mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: {name}\r\n"
    );
    (headers, body.to_string())
}

/// Returns a call of the newest revision as the bytes of an HTTP request.
pub(crate) fn request(name: &str, arguments: &Value) -> String {
    let (headers, body) = call(name, arguments);
    format!("POST /mcp HTTP/1.1\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}
