//! Gathering: a server offers what other servers have.
//!
//! [`Server::mount`](crate::Server::mount) adds the tools, prompts and resources of another server to this one: a gateway is a
//! server that does nothing else. The other server can be a process, a URL, or a service in the same program, and can speak
//! any revision of the protocol, whatever the client speaks.
//!
//! ```no_run
//! use std::process::{Command, ExitCode};
//!
//! use mcp_runtime::{prelude::*, remote::{Mount, Remote}};
//!
//! #[tokio::main]
//! async fn main() -> ExitCode {
//!     let files = ["-y", "@modelcontextprotocol/server-filesystem", "/srv/files"];
//!     let files = Remote::stdio(Command::new("npx").args(files));
//!     let tickets = Mount::new(Remote::http("https://tickets.example.com/mcp"))
//!         .only(["search", "create"])
//!         .fix("create", "project", "support")
//!         .scope("tickets:read")
//!         .tool_scope("create", "tickets:write");
//!     Server::new("gateway", env!("CARGO_PKG_VERSION"))
//!         .mount("files", files)
//!         .mount("tickets", tickets)
//!         .hide_unauthorized(true)
//!         .run()
//!         .await
//! }
//! ```
//!
//! # What passes
//!
//! | of the other server | here |
//! | --- | --- |
//! | names of tools and prompts | after the name of the mount, such as `files_read_file`; see [`Mount::prefix`](crate::remote::Mount::prefix) |
//! | descriptions, hints, icons, schemas, `_meta` | unchanged. Only the other server checks the arguments |
//! | results, with blocks and `_meta` that this crate does not know | unchanged, in the form of the client's revision |
//! | errors of the protocol | the same errors |
//! | questions to the user or to a model, `roots/list` | questions of the client's call, under the same keys |
//! | progress and log messages | those of the call |
//! | cancellation | reaches the other server |
//! | resources and templates | under the same URIs. If two servers have the same URI, the server that was mounted first serves it |
//! | resources that no list has, such as those that a result links to | the servers are asked one after another |
//! | names of resources | with the prefix and a hash of the URI, because the names of two resources can be equal. The title is the original name |
//! | completions | of arguments of prompts and variables of templates |
//! | changed lists, changed resources | clients get the notifications that they get about changes of this server |
//! | views | their pages (`ui://…`) are resources, which the `_meta` of their tools names. The other server learns whether the client shows views |
//! | tasks | tasks of this server, with its own ids, for clients that follow tasks; see below |
//! | instructions | only with [`Mount::instructions`](crate::remote::Mount::instructions), because the model reads them |
//! | skills | their files are resources, as of every server. `skills/list` and `skills/get` do not pass |
//!
//! Hosts accept only names of up to 64 letters, digits, `_` and `-`. Any other name is replaced by one that ends with a hash of
//! the original name, so that it is the same after a restart.
//!
//! # Lists
//!
//! The lists of the other servers are read when this server begins to serve, or with its first request if an application
//! serves its router. The first requests wait up to five seconds for servers that have not answered yet. Then the lists are part of
//! the lists of this server: a request for them reaches no other server. They are read again when a server says that they
//! have changed, when they have expired (`ttlMs`), and after failures.
//!
//! If one server fails, the others work on. The items of a failed server stay listed for 15 minutes, and their calls fail with
//! its error. Before a server has answered for the first time, a call of one of its tools is refused with `retryAfterMs`: the
//! client can send it again, also in a later round. An item that cannot be offered is left out. Failures and missing items are
//! logged, and [`Service::mounts`](crate::Service::mounts) and `/health/ready` show them.
//!
//! # Who may do what
//!
//! [`Mount::scope`](crate::remote::Mount::scope) and [`Mount::tool_scope`](crate::remote::Mount::tool_scope) add scopes, which
//! are checked here before the other server gets a request. With
//! [`Server::hide_unauthorized`](crate::Server::hide_unauthorized), clients see only what they may use.
//!
//! The token of a client is never passed on: the other server gets the credentials of the [`Remote`](crate::remote::Remote). A
//! service in the same program gets the principal of the client. This server requires the scopes of such a service too, so
//! you need not repeat them.
//!
//! # What runs once
//!
//! A call can outlive this process, like that of a `replayable` tool: see [`surviving`](super::surviving). The
//! `requestState` of this server contains the state of the other server. A server before 2026-07-28 asks over its connection,
//! so a call of its tool ends with this connection.
//!
//! # Tasks
//!
//! A server since 2026-07-28 can go on with a call in a task (`io.modelcontextprotocol/tasks`), and every call tells it that
//! tasks are followed. If it answers with one, and the client follows tasks, the client gets a task of this server (with the
//! feature `actions`): its questions and its `statusMessage` are those of the other task, and its cancellation reaches the
//! other server. Such a task ends with this process, as every task does. A client that does not follow tasks waits for the
//! result, and gets the `statusMessage` as progress. If its call has asked before, and is repeated after this process has
//! died, the next process follows the same task.
//!
//! A tool that requires tasks is listed for all clients, because this server follows the task for those that cannot.
//!
//! # Views
//!
//! This server declares views (`io.modelcontextprotocol/ui`) if it mounts resources: clients ask what it declares before the
//! other servers have answered. With [`Mount::tools_only`](crate::remote::Mount::tools_only), tools name no view, because
//! its page is not served. A page calls tools under the names that its own server gives them, so mount a server whose pages
//! call tools [`without_prefix`](crate::remote::Mount::without_prefix).
//!
//! # Loops
//!
//! A request passes through at most eight servers. An item that comes back to a gateway, for example because two gateways
//! mount each other, is left out there: its `_meta` names the gateways through which it has come (`via`).
