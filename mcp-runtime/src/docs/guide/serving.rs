//! HTTP: one endpoint that serves clients of every revision of the protocol.
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
//! This program serves `http://127.0.0.1:8080/mcp` on its own listener, with [limits](crate::http::HttpLimits) for
//! connections. With the feature `cli`, the command `http --addr HOST:PORT` of [`Server::run`](crate::Server::run) does
//! the same. In your own axum application, the endpoint is a [`Router`](crate::Service::router), and your middleware
//! applies to it:
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
//! [`Server::landing_page`](crate::Server::landing_page) adds a page at `/` of the server's own listener, for people who open
//! its address in a browser: what the server is, its tools, and how hosts connect to it.
//!
//! [`Service::serve_app`](crate::Service::serve_app) serves such an application on the same listener, with the same limits
//! for connections.
//!
//! # The guard
//!
//! Every endpoint is behind a [`Guard`](crate::http::Guard): this one, those of `contract::rest`, `contract::jsonrpc` and
//! `PluginHost::router`, and routes of your own with the layer [`Service::guard`](crate::Service::guard). The guard
//! checks `Host`, `Origin` and tokens, and applies the limits below, before anything of a request runs. All endpoints of
//! a service share its limits, so a client gains nothing by using several of them.
//!
//! Whatever a tool, prompt, resource or method requires is checked at one place, whichever way its call comes: scopes,
//! the capabilities of the client, [layers](crate::layer), and the limits of calls. A caller without an identity has no
//! scopes, unless it is in this process or on standard input.
//!
//! # Shutting down
//!
//! [`serve_http`](crate::Service::serve_http), [`serve_listener`](crate::Service::serve_listener) and
//! [`serve_app`](crate::Service::serve_app) shut down gracefully when their `shutdown` future completes. An application
//! that serves itself calls [`Service::shutdown`](crate::Service::shutdown), which returns when no call and no stream is
//! left:
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
//!         // Running calls have ten seconds to end.
//!         service.shutdown(Duration::from_secs(10)).await;
//!     };
//!     axum::serve(listener, app).with_graceful_shutdown(shutdown).await
//! }
//! ```
//!
//! `axum` accepts connections until the future `shutdown` completes, so that users can still answer the questions of
//! waiting calls. Then `axum` waits until every response is written. A client that does not read its response delays
//! the shutdown; to limit the delay, wrap `axum::serve` in [`tokio::time::timeout`].
//!
//! # Two eras
//!
//! One endpoint serves the clients of both eras at once. The server recognizes the era of each request.
//!
//! | | 2026-07-28 | 2024-11-05 … 2025-11-25 |
//! | --- | --- | --- |
//! | a request | is stateless: any instance answers it | belongs to a session, `Mcp-Session-Id`, that `initialize` opens and `DELETE` ends |
//! | headers | must match the body, or the request is rejected (-32020) | `MCP-Protocol-Version`, if present, must match the session |
//! | the reply | JSON; an event stream if the call sends messages before it ends, and the client accepts it | the same |
//! | a question to the user | ends the request; the next request of the call carries the answer | is sent on the stream of its call; the client posts the answer in a separate request |
//! | the client disconnects | the call is cancelled, unless its `after` has begun | the call continues |
//! | the client reconnects | by sending the same request, see [`surviving`](crate::guide::surviving) | with `GET` and `Last-Event-ID`: the stream is replayed after that event |
//! | other `GET` requests | 405 | a stream for messages that belong to no request, such as notices about [changes](crate::guide::changing) |
//! | `subscriptions/listen` | a stream of notices about [changes](crate::guide::changing); -32601 if nothing of the server can change | – |
//!
//! A session expires after [`session_idle`](crate::http::HttpLimits::session_idle) without a request. Only the
//! [`Principal`](crate::Principal) that opened a session can use it. The server answers 404 to a request that names
//! another principal's session or an expired session, and the client must open a new session.
//!
//! # Hosts and platforms that need something else
//!
//! | what the host or the platform does | setting |
//! | --- | --- |
//! | buffers replies, so that event streams do not arrive | [`json_replies(true)`](crate::Server::json_replies) |
//! | sends the requests of a client to any of several instances, or starts an instance for a request | [`sessions(false)`](crate::Server::sessions) |
//! | sends bodies of 2026-07-28 with the headers of an older revision | [`revision_of_body(true)`](crate::Server::revision_of_body) |
//! | offers its model every tool in the list, also those that the user may not use | [`hide_unauthorized(true)`](crate::Server::hide_unauthorized) |
//!
//! Without a setting, the server also answers with JSON if the header `Accept` of a request does not allow
//! `text/event-stream`, or refuses it with `q=0`. The reply then waits until the call ends, and has no log messages and no
//! progress. In a session such a call cannot ask the user, and `subscriptions/listen` gets 406. A client that names
//! neither JSON nor event streams gets both.
//!
//! # Streams
//!
//! The server sends a comment every 15 seconds on an idle stream, so that no proxy closes it. The server does not wait
//! for a slow client. While 256 KiB are buffered for a stream, the server drops log messages and progress, but never
//! questions or results.
//!
//! In a session each event has an id, and the server buffers events for a client that loses its connection. The limits
//! are 256 KiB per stream, 64 streams per session, and 64 MiB in total. A stream is buffered until a minute after its
//! end. If a call takes longer than a second, a client of 2025-11-25 first gets an empty event. With the id of that
//! event, the client can resume the stream. [`Ctx::close_stream`](crate::Ctx::close_stream) ends the connection and
//! asks the client to reconnect later.
//!
//! # Batches
//!
//! Revision 2025-03-26 has arrays of messages. An array of more than 100 messages is rejected. When the responses to an
//! array reach 4 MiB, its remaining requests are answered with -32603 and do not run. The server handles one message of
//! an array at a time and serves other clients in between. The same rules apply on stdio.
//!
//! # Limits for each client
//!
//! Sessions, calls that wait for an answer, and large messages are limited for each client and in total. A client is a
//! [`Principal`](crate::Principal), or an IP address if the request has no principal. Behind a proxy, set the address
//! with [`ClientAddress`](crate::http::ClientAddress). A client that exceeds its limit gets 429, and other clients are not
//! affected. When a total limit is reached, a new session evicts an idle one, and a new call gets 503 before its tool
//! runs.
//!
//! Bursts are queued, not rejected. While [`max_concurrent_calls`](crate::Server::max_concurrent_calls) calls run
//! (default: 16,384), further calls wait for up to 10 seconds ([`queue_timeout`](crate::http::HttpLimits::queue_timeout)).
//! All running and waiting calls together can hold 256 MiB. Each call counts as 4 KiB plus twice the size of its
//! arguments.
//!
//! Replies of more than 64 KiB count until the client has read them; see
//! [`max_unread_replies`](crate::http::HttpLimits::max_unread_replies).
//!
//! On a multi-threaded runtime, use an allocator made for multi-threaded programs. In a benchmark of calls with one
//! confirmation, a second processor multiplied the throughput by 1.3 with `mimalloc`, and by 1.1 with the allocator of
//! glibc.
//!
//! The table shows the peak memory of a single-threaded server and the effect on other clients, without these limits
//! and with them (`cargo bench -p mcp-benches-abuse`):
//!
//! | a client | without | with | the limit |
//! | --- | --- | --- | --- |
//! | sends a batch `[1,1,…]` of 1 MB | 135 MB, others wait 0.2 s | 7 MB | 100 messages |
//! | sends a batch of `tools/list`, 296 KB | 635 MB, others wait 0.5 s | 7 MB | 100 messages, 4 MiB of responses |
//! | opens 20,000 sessions | others get 503 | others get a session | [`max_sessions_per_principal`], [`max_sessions_per_address`] |
//! | begins 256 messages of 1 MB and stops | others wait 30 s | others wait 1 s | [`min_body_rate`], [`max_large_bodies_per_client`] |
//! | begins 366 calls that ask, with 60 KB of arguments, and answers them | 94 MB, others get 503 | 16 MB, 45 calls | [`max_open_bytes_per_client`] |
//! | begins 2,000 such calls that cannot be rebuilt | 506 MB | 40 MB, 133 calls | [`max_open_bytes_per_client`] |
//! | begins 20,000 small calls that cannot be rebuilt | 61 MB, others lose their calls | 14 MB, 2,048 calls | [`max_parked_calls_per_client`], [`max_open_calls_per_client`] |
//! | begins 20,000 calls of 10 KB that ask, in five sessions | 823 MB, others get 503 | 32 MB, 389 calls | [`max_open_bytes_per_client`] |
//!
//! The limits of batches are fixed. `Service::serve_stdio` has its own limits for a
//! client that does not read.
//!
//! [`max_sessions_per_principal`]: crate::http::HttpLimits::max_sessions_per_principal
//! [`max_sessions_per_address`]: crate::http::HttpLimits::max_sessions_per_address
//! [`min_body_rate`]: crate::http::HttpLimits::min_body_rate
//! [`max_large_bodies_per_client`]: crate::http::HttpLimits::max_large_bodies_per_client
//! [`max_open_bytes_per_client`]: crate::Server::max_open_bytes_per_client
//! [`max_parked_calls_per_client`]: crate::Server::max_parked_calls_per_client
//! [`max_open_calls_per_client`]: crate::Server::max_open_calls_per_client
//!
//! # Rejected requests
//!
//! The server checks in this order (specification of 2026-07-28, "Streamable HTTP"):
//!
//! | the request | status | error |
//! | --- | --- | --- |
//! | names a `Host` or an `Origin` that is not [allowed](crate::http::AllowedHosts) | 403 | -32600 |
//! | has no token or an invalid one; see [`auth`](crate::auth) | 401, 403 | |
//! | uses another HTTP method | 405, `Allow` | |
//! | has a `Content-Type` other than JSON, or a `Content-Encoding` | 415 | -32600 |
//! | has a body that is too large; that arrives too slowly | 413; 408 | -32600 |
//! | is not JSON; is not a message | 400 | -32700; -32600 |
//! | names a session that does not exist | 404 | |
//! | lacks a required member of `_meta` | 400 | -32602 |
//! | has headers that are missing or differ from the body | 400 | -32020 |
//! | names an unknown revision | 400 | -32022 |
//! | names an unknown method (200 in a session) | 404 | -32601 |
//! | comes from a client that lacks a required capability | 400 | -32021 |
//! | calls a tool without a scope that it needs | 403 | -32600 |
//! | subscribes to changes without accepting an event stream | 406 | -32600 |
//! | exceeds a limit for its client; a limit for all clients | 429; 503, `Retry-After` | -32603 |
//! | is a call while the server [shuts down](crate::Service::shutdown) | 503, `Retry-After` | -32603 |
//!
//! All other JSON-RPC errors, and all results of tools, have status 200.
//!
//! # Beyond one machine
//!
//! - **Hosts.** Set the server's host names with [`Server::allowed_hosts`](crate::Server::allowed_hosts). By default
//!   the server accepts only requests whose host is a name of the local machine, such as `localhost`, or the host of the
//!   URL in [`Authorization::new`](crate::auth::Authorization::new). With the feature `cli`, the operator can set them
//!   without a new program:
//!
//!   | option of the command `http` | environment variable | meaning |
//!   | --- | --- | --- |
//!   | `--allow-host mcp.example.com` | `MCP_ALLOW_HOST` | in place of the hosts that the program allows |
//!   | `--allow-origin https://app.example.com` | `MCP_ALLOW_ORIGIN` | in place of the pages of the allowed hosts |
//!   | `--path /api/mcp` | `MCP_HTTP_PATH` | the path of the endpoint; default: `/mcp` |
//!
//!   Several hosts or origins are separated by commas. An option has precedence over its variable. An empty variable
//!   has no effect. The module `settings` lists the other settings of an operator, such as the store, and says how all of
//!   them can be in a file.
//! - **Authorization.** Set [`Server::authorization`](crate::Server::authorization), or use a middleware that puts a
//!   [`Principal`](crate::Principal) into the request's extensions.
//! - **TLS** comes from a proxy or from the application around the endpoint. A proxy must not buffer streams
//!   (`proxy_buffering off` in nginx) and needs an idle timeout of more than 15 seconds.
//! - **Several instances.** Calls of 2026-07-28 need no sticky routing if all instances have the same
//!   [`KeyRing`](crate::store::KeyRing) and the same [`ledger`](crate::Server::ledger), see [`surviving`](crate::guide::surviving). A
//!   session belongs to one instance: route its requests by their `Mcp-Session-Id`. `examples/deploy` shows both. Or
//!   serve without sessions, with [`sessions(false)`](crate::Server::sessions).
//! - **Browsers.** For a client on a page of another origin, [allow](crate::http::AllowedHosts::origins) that origin; the
//!   endpoint then answers with the CORS headers that the browser needs.
//! - **Health.** `serve_http` answers `/health` and `/health/ready`. In your own application, merge
//!   [`Service::health_router`](crate::Service::health_router).
