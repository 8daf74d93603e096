//! Write tools for the Model Context Protocol (MCP) as annotated async functions.
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
//! A function that compiles is a valid tool: [`mcp_tool`] reads the function's signature, publishes its schema, and
//! reports a compile error for each type that the protocol cannot carry. One process serves clients of all five
//! revisions of the protocol, 2024-11-05 to 2026-07-28, at the same time.
//!
//! # Where to look
//!
//! | for | see |
//! | --- | --- |
//! | which of them to use: a tool, a handoff, actions, a contract, a plugin; a task, a run | [`guide::choosing`] |
//! | what a tool can take and return | [`mcp_tool`], [`ToolInput`], [`ToolOutput`] |
//! | log, progress, cancellation, the client | [`Ctx`] |
//! | effects that run once in a call that is replayed | [`Ctx::step`], [`Ctx::now`], [`Ctx::idempotency_key`] |
//! | prompts, and the completion of their arguments | [`mcp_prompt`], [`prompt`], [`complete`] |
//! | resources and templates of resources | [`mcp_resource`], [`resource`] |
//! | pages that hosts show beside results, or in place of forms | [`mcp_view`](macro@view::mcp_view), [`guide::views`] |
//! | skills: instructions that a model loads when it needs them | `skills!`, `skill`, `guide::skills` |
//! | asking the user: forms, URLs to open | [`macro@elicits`], [`Ctx::elicit`], [`Ctx::elicit_url`] |
//! | asking a model for text, values or tool calls, also if the client has no model | [`mod@sample`], [`Ctx::sample`] |
//! | typed replies of a model: a value, a choice between tools | [`Ctx::sample_schema`], [`Ctx::sample_tools`], [`macro@SampleTools`] |
//! | agents: a model that calls tools, branches of a conversation | [`Ctx::sample_loop`], [`Ctx::branch`] |
//! | a model that the server calls itself | [`Server::sampling_provider`], [`sample::SamplingProvider`], `providers` |
//! | a conversation between two phases that run once | [`handoff`](macro@handoff) |
//! | retries, restarts, several instances: what runs once | [`guide::surviving`], [`store`], [`Server::store`] |
//! | a server that offers what other servers have: a gateway | `Server::mount`, `guide::gathering` |
//! | tools that call tools | [`Ctx::call_tool`], [`Ctx::call`], [`guide::composing`] |
//! | tools of other servers, typed | `remote_tools!`, `remote` |
//! | errors of tools | [`ToolError`], [`Server::error_mapper`] |
//! | the server: identity, state, limits | [`Server`] |
//! | settings: options, environment, file, secrets | `settings`, `Server::settings` |
//! | how users get the server: bundles, the registry, containers | `guide::shipping` |
//! | middleware around every call: rate limits, audits | [`layer`], [`Server::layer`] |
//! | spans, traces, metrics, health | [`guide::observing`] |
//! | serving, and connecting in a test | [`Service`], [`MemoryClient`] |
//! | authorization over HTTP: tokens, scopes | `auth`, `Server::authorization`, [`Ctx::principal`] |
//! | one service for MCP, JSON-RPC and REST | [`mod@contract`] |
//! | the operations of a service that has an OpenAPI document | `openapi!`, `openapi` |
//! | one tool with many operations, for models with little context | `actions` |
//! | many tools, which models find by a search | `Server::searchable`, `search`, `guide::many_tools` |
//! | tools inside an application, with its own user interface | `plugin` |
//! | calls that continue after their request has ended: the tasks extension | `tasks`, `runs` |
//! | the schemas that hosts see, and how arguments are read | [`guide::schemas`], [`Server::schema_style`] |
//! | tools known only at run time | [`tool::DynamicTool`], [`Tool`], [`tool::ToolDefinition`] |
//! | a page to try tools on while they are written: the command `dev` | `guide::developing` |
//! | what hosts would stumble over: the commands `check` and `doctor` | `guide::checking` |
//! | lists that change while the server runs, and subscriptions | [`guide::changing`], [`Service::tools`] |
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `stdio` (default) | [`Server::serve_stdio`] and [`Server::run`] |
//! | `cli` | [`Server::run`] becomes a command line: `tools`, `call`, `prompts`, `prompt`, `install`, `check`, `doctor` and more; with the feature `http`, also `http`; enables `settings` |
//! | `settings` | `#[derive(Settings)]`: the settings of a program, declared once and read from the command line, the environment and a file |
//! | `tracing` | spans for requests and calls, and a layer that forwards events to the client |
//! | `opentelemetry` | these spans continue the client's traces; enables `tracing` |
//! | `metrics` | counts and durations of requests, calls, questions and the ledger, for any recorder of the `metrics` crate |
//! | `chrono`, `jiff`, `url` | dates, times and URLs of these crates as fields of forms |
//! | `http` | `Service::router` and `Service::serve_http`: clients over HTTP, see `guide::serving`; enables `seal` |
//! | `jwt` | `auth::JwtVerifier`: signed bearer tokens; enables `http` |
//! | `seal` | `store::KeyRing`: encrypts the state that a client carries between two rounds of a call |
//! | `redis` | `store::RedisStore`: calls and runs in Redis, for many machines, also over TLS (`rediss://`); enables `seal` |
//! | `sqlite` | `store::SqliteStore`: calls and runs in a file, for the processes of one machine; enables `seal` |
//! | `postgres` | `store::PostgresStore`: calls and runs in a PostgreSQL database, for many machines; enables `seal` |
//! | `openapi` | `openapi!` and the module `openapi`: the operations of an OpenAPI document as tools; enables `jsonschema` and `settings` |
//! | `providers` | the module `providers`: calls models of OpenAI, Anthropic, Ollama and others from the server |
//! | `remote` | `Remote`: a client of other MCP servers, for tools that call their tools and for gateways; enables `settings` |
//! | `testing` | the module `testing`: a scripted client that tests tools and prompts in memory, in a process or at a URL |
//! | `dev` | the command `dev`: a page that tries the tools, and builds the program again after each change; for development builds |
//! | `directory` | `resource::Directory`: the files of a folder as resources, and notices about files that change |
//! | `skills` | `skills!` and the module `skill`: folders with a `SKILL.md`, embedded at compile time; with the feature `directory`, also read while the server runs |
//! | `actions` | the module `actions`: one tool with many actions, which a model looks up when it needs them; the module `tasks` and `#[mcp_tool(task)]`: calls that continue after their request has ended |
//! | `search` | `Server::searchable` and the module `search`: clients see a search in place of a long list of tools |
//! | `plugin` | the module `plugin`: an application runs tools and answers their forms itself; with the feature `http`, also on a web page |
//! | `rest` | `contract::rest`: the methods of a contract as a REST API, with an OpenAPI document; enables `http` |
//! | `swagger-ui` | a page with the documentation of the REST API; enables `rest` |
//! | `views-preview` | `#[elicit(view = …)]`: forms that a view renders, in clients that can (SEP-3118, not accepted yet) |
//! | `jsonschema` | enforces `pattern`, less common `format`s and hand-written schemas |
//!
//! Contributors start with `CONTRIBUTING.md` in the repository.

#![cfg_attr(docsrs, feature(doc_cfg))]
// Each feature uses other parts of the code below; only with all of them each part has a user.
#![cfg_attr(
    not(all(
        feature = "actions",
        feature = "cli",
        feature = "dev",
        feature = "directory",
        feature = "metrics",
        feature = "openapi",
        feature = "opentelemetry",
        feature = "plugin",
        feature = "postgres",
        feature = "redis",
        feature = "remote",
        feature = "rest",
        feature = "search",
        feature = "skills",
        feature = "sqlite",
        feature = "testing",
        feature = "views-preview"
    )),
    allow(dead_code, unreachable_pub, unused_imports)
)]

extern crate self as mcp_runtime;

mod apps;
mod base;
mod docs;
mod edge;
mod engine;
mod serve;
mod wire;

#[doc(hidden)]
pub mod __private;
pub mod prelude;

// Modules, by the words of the protocol.
#[cfg(feature = "openapi")]
pub use self::apps::openapi;
#[cfg(feature = "plugin")]
pub use self::apps::plugin;
#[cfg(feature = "search")]
pub use self::apps::search;
#[cfg(feature = "http")]
pub use self::docs::auth;
#[cfg(feature = "remote")]
pub use self::docs::remote;
#[cfg(feature = "settings")]
pub use self::docs::settings;
#[cfg(feature = "skills")]
pub use self::docs::skill;
#[cfg(any(feature = "tracing", feature = "metrics"))]
pub use self::docs::telemetry;
pub use self::docs::{call, complete, content, elicit, guide, prompt, resource, tool, view};
#[cfg(feature = "providers")]
pub use self::edge::providers;
#[cfg(feature = "testing")]
pub use self::edge::testing;
pub use self::engine::{layer, runs, sample, store};
#[cfg(feature = "http")]
pub use self::serve::http;
#[cfg(feature = "actions")]
pub use self::{apps::actions, docs::macros::mcp_actions, serve::tasks};
// The module, and the macro of the same name.
pub use self::{apps::contract, docs::macros::contract};

// What an author of annotated functions writes.
pub use self::{
    base::error::{Result, ToolError},
    docs::{
        handoff::handoff,
        macros::{Choice, Form, SampleTools, elicits, mcp_prompt, mcp_resource, mcp_tool},
    },
    engine::{
        call::{AskError, Call, Ctx, Principal},
        elicit::{Choice, Elicited, Form},
        sample::SampleTools,
        tool::{Json, Text, Tool, ToolInput, ToolOutput},
    },
    serve::{
        server::{BuildError, Server, Service},
        transport::MemoryClient,
    },
    wire::protocol::{content::Content, level::Level, result::CallToolResult, revision::Revision},
};

/// Re-export of `schemars`, for programs that do not depend on it directly.
///
/// ```
/// use mcp_runtime::{prelude::*, schemars::JsonSchema};
/// use serde::Deserialize;
///
/// /// What to look for.
/// #[derive(Deserialize, JsonSchema)]
/// #[schemars(crate = "mcp_runtime::schemars")]
/// struct Query {
///     text: String,
///     #[serde(default)]
///     #[schemars(range(max = 100))]
///     limit: u8,
/// }
///
/// /// Searches.
/// #[mcp_tool(read_only)]
/// async fn search(#[params] query: Query) -> String {
///     query.text.repeat(query.limit.into())
/// }
/// # Server::new("shop", "1.0.0").tools(tools![search]).build().unwrap();
/// ```
///
/// A program that depends on `schemars` directly needs no `crate = "…"`. To enable features of `schemars`, such as
/// `chrono04`, depend on it directly.
pub use schemars;

/// The fuzz target of `fuzz/` that tests the encryption of states with arbitrary bytes.
#[cfg(all(fuzzing, feature = "seal"))]
#[doc(hidden)]
pub fn fuzz_seal(data: &[u8]) {
    engine::durable::seal::fuzzing::drive(data);
}

/// The fuzz target of `fuzz/` that sends arbitrary bytes to a connection.
#[cfg(all(fuzzing, feature = "http"))]
#[doc(hidden)]
pub async fn fuzz_connection(service: &Service, stream: tokio::io::DuplexStream) {
    http::fuzz_connection(service, stream).await;
}

pub(crate) use crate::base::report::report;
