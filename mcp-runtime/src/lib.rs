//! Author tools of the Model Context Protocol (MCP) as annotated async functions.
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use mcp_runtime::prelude::*;
//!
//! /// Adds two numbers.
//! #[mcp_tool(read_only)]
//! async fn add(a: i64, b: i64) -> Text<i64> {
//!     Text(a + b)
//! }
//!
//! #[tokio::main]
//! async fn main() -> ExitCode {
//!     Server::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")).tools(tools![add]).run().await
//! }
//! ```
//!
//! If it compiles, it is a valid tool: [`mcp_tool`] reads the function's signature, publishes its schema, and refuses
//! at compile time what the protocol cannot carry. The same tool serves clients of all five revisions of the protocol,
//! 2024-11-05 to 2026-07-28, on one process at once.
//!
//! # Where to look
//!
//! | for | see |
//! | --- | --- |
//! | what a tool may take and return | [`mcp_tool`], [`ToolInput`], [`ToolOutput`] |
//! | log, progress, cancellation, the client | [`Ctx`] |
//! | what a call that is run again does once | [`Ctx::step`], [`Ctx::now`], [`Ctx::idempotency_key`] |
//! | asking the user: forms, pages to open | [`macro@elicits`], [`Ctx::elicit`], [`Ctx::visit`] |
//! | asking a model: text, values, tools; with or without a client that has one | [`mod@sample`], [`Ctx::sample`] |
//! | what a model surely gives: a value, a choice between tools | [`Ctx::sample_schema`], [`Ctx::sample_tools`], [`macro@SampleTools`] |
//! | agents: a model that calls tools, conversations beside the call's own | [`Ctx::sample_loop`], [`Ctx::branch`] |
//! | a model of the server's own | [`Server::sampling_provider`], [`sample::SamplingProvider`], `sample::providers` |
//! | a conversation between two steps that run once | [`handoff`](macro@handoff) |
//! | retries, restarts, several instances: what runs once | [`surviving`], [`Server::ledger`] |
//! | errors of tools | [`ToolError`], [`Server::error_mapper`] |
//! | the server: identity, state, limits | [`Server`] |
//! | spans, traces, measurements, health | [`observing`] |
//! | serving, and connecting in a test | [`Service`], [`MemoryClient`] |
//! | who may call over HTTP: tokens, scopes | `auth`, `Server::authorization`, [`Ctx::principal`] |
//! | tools known only at run time | [`Tool`], [`ToolDefinition`] |
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `stdio` (default) | [`Server::serve_stdio`] and [`Server::run`] |
//! | `cli` | [`Server::run`] is a whole command line: `stdio`, `tools`, `manifest`, `call`, and `http` with that |
//! | `tracing` | spans per request and call, and a layer that forwards events to the client |
//! | `opentelemetry` | these spans continue the traces of clients; with `tracing` |
//! | `metrics` | requests, calls, asks and the ledger, counted and timed for a recorder of the `metrics` crate |
//! | `chrono`, `jiff`, `url` | dates, moments and URLs of these crates as fields of forms |
//! | `http` | `Service::router` and `Service::serve_http`: clients over HTTP, see the module `serving`; with `seal` |
//! | `jwt` | `auth::JwtVerifier`: bearer tokens that are signed; with `http` |
//! | `seal` | `KeyRing`: what a client carries between two rounds of a call is sealed |
//! | `redis` | `RedisLedger`: many instances that share a Redis; `redis-tls` adds `rediss://` |
//! | `sqlite` | `SqliteLedger`: the records of calls in a file, for the processes of one machine; with `seal` |
//! | `providers` | the module `sample::providers`: models that the server asks itself, of OpenAI, Anthropic, Ollama and others |
//! | `testing` | the module `testing`: a scripted client in memory, for unit tests of tools |
//! | `jsonschema` | enforces `pattern`, unusual `format`s and hand-written schemas |
//!
//! # How a call travels
//!
//! One file a step, each a plain function that calls the next by name:
//!
//! 1. `transport/stdio.rs`: a thread reads bytes, `transport/lines.rs` cuts them into lines; or
//!    `transport/http/post.rs` takes a request.
//! 2. `server/connection.rs`: `wire/message.rs` reads the line once, the arguments still raw; the request's `_meta` or
//!    the session decides its era.
//! 3. `server/methods.rs`: the table of methods, one for each era.
//! 4. `server/calling.rs`: finds the tool by its name and holds the arguments against its schema, where the schema
//!    says more than the types do.
//! 5. The function `#[mcp_tool]` wrote ([`Tool::call`]): reads the arguments into the author's types and calls the
//!    author's function.
//! 6. `call/running.rs`: polls that future. Ready at its first poll, as most are, it is answered at once; otherwise it
//!    becomes a task. What it asks its client meanwhile (`elicit/ask.rs`) goes through `call/conversation.rs`: to a
//!    session as requests (`server/questions.rs`); since 2026-07-28 the round ends with its questions
//!    (`server/leading.rs`), the future is kept (`call/parked/`), and the next round takes the call up once, by its
//!    record in the ledger, and goes on with the answers (`server/rounds.rs`): with that future, or with one that is
//!    built again from the journal.
//! 7. `wire/result.rs`: writes the result as the client's revision can carry it.
//! 8. `transport/output.rs`: what is ready together leaves in one write; or `transport/http/reply.rs` answers, with JSON
//!    or a stream of events.
//!
//! # Invariants
//!
//! - Generated code names only `__private` and public traits.
//! - Nothing but `transport/`, `cli/` at a terminal, a ledger that is a file, and a provider does I/O; standard output carries protocol lines and nothing else.
//! - Nothing but `wire/error.rs` knows an error code; nothing but `wire/` knows what a revision can carry.
//! - Between 2 and 5 nothing is generic: the author's crate compiles small shims, not the server.
//! - A panic in a tool is an error result of that call and ends nothing else (with `panic = "unwind"`, the default).
//! - Nothing of a call outlives it without a bound in time and number.

extern crate self as mcp_runtime;

#[cfg(feature = "http")]
pub mod auth;
mod call;
#[cfg(feature = "stdio")]
mod cli;
mod elicit;
mod error;
mod handoff;
pub mod layer;
mod macros;
pub mod observing;
mod random;
mod report;
pub mod sample;
mod server;
#[cfg(feature = "http")]
pub mod serving;
pub mod surviving;
#[cfg(feature = "testing")]
pub mod testing;
mod tool;
mod transport;
mod watch;
mod wire;

#[doc(hidden)]
pub mod __private;
pub mod prelude;

pub use self::{
    call::{
        AskError, Call, CanAsk, CanStep, Client, Ctx, NoForms, PhaseCtx, Principal, Progress, Root, Roots, RunsOnce,
        Step, StepError, StepFuture, StepValue, Talk, TryStep,
        ledger::{
            Ledger, LedgerEntry, LedgerError, LedgerFuture, LedgerId, LedgerKey, LedgerRoom, LedgerTime, LedgerVersion,
            MemoryLedger, Swapped,
        },
    },
    elicit::{
        Choice, ChoiceEntry, Elicit, ElicitRequest, Elicited, Elicits, Email, FieldKey, Form, FormField, Format,
        HandledBy, Includes, IntoChoice, MultiSelect, NotAnEmail, OnDecline, Shape, Visit, Visited,
    },
    error::{Result, ToolError, ToolResult},
    handoff::handoff,
    macros::{Choice, Form, SampleTools, elicits, mcp_tool},
    sample::SampleTools,
    server::{BuildError, Icon, Once, Server, Service, Theme},
    tool::{
        Arguments, ArgumentsError, CallToolResult, Calling, Capability, IntoToolError, IntoTools, Json, State,
        StateNeed, Structured, Text, Tool, ToolDefinition, ToolInput, ToolOutput,
    },
    transport::MemoryClient,
    wire::{
        content::{Annotations, Audience, Content, EmbeddedResource, ResourceLink},
        level::Level,
        revision::Revision,
    },
};

/// The crate with which types describe themselves, for programs that do not depend on it.
///
/// ```
/// use mcp_runtime::{prelude::*, schemars::JsonSchema, serde::{Deserialize, Serialize}};
///
/// /// What to look for.
/// #[derive(Deserialize, JsonSchema)]
/// #[serde(crate = "mcp_runtime::serde")]
/// #[schemars(crate = "mcp_runtime::schemars")]
/// struct Query {
///     text: String,
///     #[serde(default)]
///     #[schemars(range(max = 100))]
///     limit: u8,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// #[serde(crate = "mcp_runtime::serde")]
/// #[schemars(crate = "mcp_runtime::schemars")]
/// struct Found {
///     count: usize,
/// }
///
/// /// Searches.
/// #[mcp_tool(read_only)]
/// async fn search(#[params] query: Query) -> Json<Found> {
///     Json(Found { count: query.text.len().min(query.limit.into()) })
/// }
/// # Server::new("shop", "1.0.0").tools(tools![search]).build().unwrap();
/// ```
///
/// A program with a dependency of its own on `schemars` and `serde` needs no `crate = "…"`. It needs that dependency for
/// their features, such as `schemars/chrono04`.
pub use schemars;
/// The crate with which types are read and written, for programs that do not depend on it; see [`schemars`].
pub use serde;

#[cfg(feature = "redis")]
pub use self::call::ledger::{RedisLedger, RedisLedgerBuilder, RedisLedgerError};
#[cfg(feature = "sqlite")]
pub use self::call::ledger::{SqliteLedger, SqliteLedgerError};
#[cfg(feature = "seal")]
pub use self::call::{KeyRing, KeyRingError};
#[cfg(feature = "http")]
pub use self::transport::{AllowedHosts, ClientAddress, HttpLimits};
#[cfg(feature = "metrics")]
pub use self::watch::describe_metrics;
#[cfg(feature = "tracing")]
pub use self::watch::{ClientLayer, TraceContext, client_layer};

/// What `fuzz/` drives: the opener of states, with whatever bytes.
#[cfg(all(fuzzing, feature = "seal"))]
#[doc(hidden)]
pub fn fuzz_seal(data: &[u8]) {
    call::seal::fuzzing::drive(data);
}

/// What `fuzz/` drives: a connection, with whatever bytes.
#[cfg(all(fuzzing, feature = "http"))]
#[doc(hidden)]
pub async fn fuzz_connection(service: &Service, stream: tokio::io::DuplexStream) {
    transport::fuzz_connection(service, stream).await;
}

pub(crate) use self::report::report;
