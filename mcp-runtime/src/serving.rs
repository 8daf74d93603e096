//! Serving clients over HTTP: one endpoint for every revision of the protocol.
//!
//! ```no_run
//! use mcp_runtime::{Server, prelude::*};
//!
//! /// Adds two numbers.
//! #[mcp_tool(read_only)]
//! async fn add(a: i64, b: i64) -> Text<i64> {
//!     Text(a + b)
//! }
//!
//! #[tokio::main]
//! async fn main() -> std::io::Result<()> {
//!     let service = Server::new("calculator", "1.0.0").tools(tools![add]).build().expect("the server is complete");
//!     service.serve_http("127.0.0.1:8080", async { drop(tokio::signal::ctrl_c().await) }).await
//! }
//! ```
//!
//! That is `http://127.0.0.1:8080/mcp`, with the server's own connections and their [limits](crate::HttpLimits). With the
//! feature `cli`, [`Server::run`](crate::Server::run) has it as `http --addr HOST:PORT`. Inside an application of yours the
//! endpoint is a [`Router`](crate::Service::router), behind whatever middleware that has:
//!
//! ```
//! use axum::{Router, routing::get};
//! # use mcp_runtime::Server;
//! # let service = Server::new("s", "1.0.0").build().unwrap();
//!
//! let app: Router = Router::new()
//!     .route("/", get(async || "the rest of the application"))
//!     .merge(service.mount("/mcp"))
//!     .merge(service.health_router());
//! ```
//!
//! # Shutting down
//!
//! [`serve_http`](crate::Service::serve_http) and [`serve_listener`](crate::Service::serve_listener) end in order when
//! their `shutdown` future is ready. An application with a listener of its own calls
//! [`Service::shutdown`](crate::Service::shutdown), which returns when no call and no stream is left:
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use axum::Router;
//! use mcp_runtime::Server;
//!
//! #[tokio::main]
//! async fn main() -> std::io::Result<()> {
//!     let service = Server::new("calculator", "1.0.0").build().expect("the server is complete");
//!     let app: Router = Router::new().merge(service.mount("/mcp")).merge(service.health_router());
//!     let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//!     let shutdown = async move {
//!         drop(tokio::signal::ctrl_c().await);
//!         // `/health/ready` answers 503, and idle streams end. The load balancer notices within five seconds.
//!         service.retire();
//!         tokio::time::sleep(Duration::from_secs(5)).await;
//!         // Calls that run have ten seconds to end.
//!         service.shutdown(Duration::from_secs(10)).await;
//!     };
//!     axum::serve(listener, app).with_graceful_shutdown(shutdown).await
//! }
//! ```
//!
//! `axum` keeps accepting connections until `shutdown` returns, so users can still answer the questions of calls that
//! wait for them. It then waits until every response has been written: put [`tokio::time::timeout`] around it if a client
//! that does not read its response must not hold it up.
//!
//! # Two eras
//!
//! A request says of itself which it belongs to, and one endpoint takes both at once.
//!
//! | | 2026-07-28 | 2024-11-05 … 2025-11-25 |
//! | --- | --- | --- |
//! | a request | stands alone: any instance answers it | is of a session, `Mcp-Session-Id`, that `initialize` opens and `DELETE` ends |
//! | headers | say what the body says, or it is refused (-32020) | `MCP-Protocol-Version`, where it is there, is that of the session |
//! | the answer | JSON; a stream of events if the call speaks before it ends | the same |
//! | a question to the user | ends the request: the next one brings the answer | stands on the stream of its call; the answer is posted by itself |
//! | the client goes away | the call is cancelled, unless its `after` has begun | the call goes on |
//! | and comes again | with the same request, see [`surviving`](crate::surviving) | with `GET` and `Last-Event-ID`: the stream is read on where it was |
//! | `GET` without that | 405 | a stream for what belongs to no request; nothing is said on it yet |
//! | `subscriptions/listen` | -32601: no list of this server changes, and it advertises none that does | – |
//!
//! A session is gone when nothing is asked in it for [`session_idle`](crate::HttpLimits::session_idle), and none is kept
//! for another [`Principal`](crate::Principal) than the one that opened it: 404, and the client opens another.
//!
//! # Streams
//!
//! Every 15 seconds a stream on which nothing happens carries a comment, so that nothing between the two ends it. Who reads
//! too slowly is not waited for: while 256 KiB wait on a stream, log messages and progress are left out; questions and
//! results never are.
//!
//! In a session each event has an id, and is kept for a client whose connection broke: 256 KiB of a stream, 64 streams of a
//! session until a minute after their end, 64 MiB of all. A client of 2025-11-25 is told early where to read on: a call
//! that takes longer than a second begins its stream with an event of no message. It may be sent away to come again later:
//! [`Ctx::close_stream`](crate::Ctx::close_stream).
//!
//! # Batches
//!
//! Revision 2025-03-26 has arrays of messages. An array of more than 100 is refused. When the responses to it have 4 MiB,
//! its further requests are not begun and answered with -32603. The server takes one message of an array at a time and
//! answers other clients between them. The same holds on stdio.
//!
//! # What a client can claim
//!
//! Sessions, calls that wait for an answer, and large messages have a limit for each client and one for all. A client is a
//! [`Principal`](crate::Principal), or an address where there is none; behind a proxy, say whose address it is with
//! [`ClientAddress`](crate::ClientAddress). A client beyond its limit gets 429 and takes nothing from others. When the
//! limit for all is reached, a new session evicts an idle one, and a new call gets 503 before its tool runs.
//!
//! The server does not refuse a burst. While [`max_concurrent_calls`](crate::Server::max_concurrent_calls) run (16,384), it
//! lets a further call wait for up to 10 seconds ([`queue_timeout`](crate::HttpLimits::queue_timeout)). All calls that run
//! or wait may hold 256 MiB together. Each counts with 4 KiB and twice the size of its arguments.
//!
//! On a runtime with several threads, an allocator made for threads is worth its line: with `mimalloc` a second processor
//! answers 1.3 times as many confirmations, with the allocator of glibc 1.1 times.
//!
//! The most memory that a server of one thread held, and how another client fared, without these limits and with them
//! (`cargo bench -p mcp-benches-abuse`):
//!
//! | a client | without | with | the limit |
//! | --- | --- | --- | --- |
//! | sends a batch `[1,1,…]` of 1 MB | 135 MB, others wait 0.2 s | 7 MB | 100 messages |
//! | sends a batch of `tools/list`, 296 KB | 635 MB, others wait 0.5 s | 7 MB | 100 messages, 4 MiB of responses |
//! | opens 20,000 sessions | others get 503 | others get theirs | [`max_sessions_per_principal`], [`max_sessions_per_address`] |
//! | begins 256 messages of 1 MB and stops | others wait 30 s | others wait 1 s | [`min_body_rate`], [`max_large_bodies_per_client`] |
//! | begins 366 calls with 60 KB of arguments that ask, and answers | 94 MB, others get 503 | 16 MB, 45 calls | [`max_open_bytes_per_client`] |
//! | begins 2,000 such calls that cannot be rebuilt | 506 MB | 40 MB, 133 calls | [`max_open_bytes_per_client`] |
//! | begins 20,000 small calls that cannot be rebuilt | 61 MB, others lose theirs | 14 MB, 2,048 calls | 2,048 calls, [`max_open_calls_per_client`] |
//! | begins 20,000 calls of 10 KB that ask, in five sessions | 823 MB, others get 503 | 32 MB, 389 calls | [`max_open_bytes_per_client`] |
//!
//! The limits of batches and of calls that cannot be rebuilt cannot be changed. `Service::serve_stdio` has its own limits for a
//! client that does not read.
//!
//! [`max_sessions_per_principal`]: crate::HttpLimits::max_sessions_per_principal
//! [`max_sessions_per_address`]: crate::HttpLimits::max_sessions_per_address
//! [`min_body_rate`]: crate::HttpLimits::min_body_rate
//! [`max_large_bodies_per_client`]: crate::HttpLimits::max_large_bodies_per_client
//! [`max_open_bytes_per_client`]: crate::Server::max_open_bytes_per_client
//! [`max_open_calls_per_client`]: crate::Server::max_open_calls_per_client
//!
//! # What is refused
//!
//! In this order (specification of 2026-07-28, "Streamable HTTP"):
//!
//! | a request | status | error |
//! | --- | --- | --- |
//! | to another `Host`, or of a page that is not [allowed](crate::AllowedHosts) | 403 | -32600 |
//! | without a token, or with one that is no good; see [`auth`](crate::auth) | 401, 403 | |
//! | with another method | 405, `Allow` | |
//! | whose body is no JSON by its `Content-Type` | 415 | |
//! | whose body is too large, too slow | 413, 408 | -32600 |
//! | that is no JSON; no message | 400 | -32700; -32600 |
//! | of a session that is not there | 404 | |
//! | without a member that `_meta` must have | 400 | -32602 |
//! | whose headers are missing, or say something else | 400 | -32020 |
//! | of a revision that is not known | 400 | -32022 |
//! | for a method that is not known (200 in a session) | 404 | -32601 |
//! | of a client that lacks what the tool needs | 400 | -32021 |
//! | for a tool whose scopes it was not granted | 403 | -32600 |
//! | too many: of this client; of all | 429; 503, `Retry-After` | -32603 |
//! | for a call, while the server [shuts down](crate::Service::shutdown) | 503, `Retry-After` | -32603 |
//!
//! Any other error of JSON-RPC, and every result of a tool, has the status 200.
//!
//! # Beyond one machine
//!
//! - **Hosts.** Name the hosts the server is called by: [`Server::allowed_hosts`](crate::Server::allowed_hosts). Nothing but
//!   the machine's own names is answered otherwise.
//! - **Who asks.** [`Server::authorization`](crate::Server::authorization), or a middleware that puts a
//!   [`Principal`](crate::Principal) into the request's extensions.
//! - **TLS** is a proxy's business, or that of the application the endpoint is mounted in. A proxy must not gather a stream
//!   before it passes it on (`proxy_buffering off` in nginx) and must wait longer than 15 seconds.
//! - **Several instances.** Calls of 2026-07-28 need no stickiness: give all instances one
//!   [`KeyRing`](crate::KeyRing) and one [`ledger`](crate::Server::ledger), see [`surviving`](crate::surviving). Sessions are
//!   held by one instance: let the balancer send a session where it began, by `Mcp-Session-Id`. `examples/deploy` shows
//!   both.
//! - **Pages.** A client that runs in a browser, on a page of another origin, needs that origin to be
//!   [allowed](crate::AllowedHosts::origins); its browser is answered as CORS demands then.
//! - **Health.** [`Service::health_router`](crate::Service::health_router); `serve_http` has it.
