//! The protocol in all its revisions, as a client sees it, in memory and through a real process.
//!
//! Tests speak through [`client::Client`], which checks every message of the server against the rules of the protocol
//! ([`rules`]) and the official schema of its revision ([`schema`]).

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

mod client;
mod composition;
mod fake_model;
#[path = "../../examples/chat/tests/all/kills/http.rs"]
mod page;
mod rules;
pub(crate) mod schema;
mod tools;
mod wire;

mod anything;
mod batches;
mod calls;
mod cancellation;
mod capabilities;
mod changes;
mod changing_items;
mod eras;
mod everywhere;
mod handshake;
mod ids;
mod limits;
mod listing;
mod load;
mod logs;
mod malformed;
mod modern;
#[cfg(unix)]
mod output;
mod process;
mod progress;
mod prompts;
mod resources;
mod results;
mod rmcp;
mod transcripts;
mod views;

use mcp_runtime::{Revision, Service};
use tools::{Gate, server};

/// The revisions in which a connection begins with a handshake.
const LEGACY: [Revision; 4] =
    [Revision::V2024_11_05, Revision::V2025_03_26, Revision::V2025_06_18, Revision::V2025_11_25];

/// Creates a new server.
fn service() -> Service {
    service_and_gate().0
}

/// Creates a new server, and a gate that holds its calls.
fn service_and_gate() -> (Service, Gate) {
    let (server, gate) = server();
    (server.build().unwrap(), gate)
}
