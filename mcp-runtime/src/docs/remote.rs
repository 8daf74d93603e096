//! Other MCP servers, whose tools a server calls.
//!
//! A [`Remote`] is a server in a child process, behind a URL, or in the same process. Give it to your server as state, and
//! take it by reference in a tool. For several servers, give each a type: `struct GitHub(Remote);`.
//!
//! ```
//! use mcp_runtime::{Result, prelude::*, remote::Remote};
//! use serde_json::json;
//!
//! # mod shop {
//! #     use mcp_runtime::{Result, prelude::*};
//! #     #[elicits]
//! #     pub enum Order { Confirm { confirmed: bool } }
//! /// Orders an item, if the user confirms it.
//! #[mcp_tool(replayable)]
//! async fn order(ctx: &Ctx<Order>, item: String) -> Result<String> {
//!     ctx.elicit::<Confirm>(format!("Order {item}?")).strict().await?;
//!     Ok(format!("{item} is ordered"))
//! }
//! #     pub fn server() -> Server { Server::new("shop", "1.0.0").tools(tools![order]) }
//! # }
//! /// Orders breakfast at the shop, which asks the user.
//! #[mcp_tool(replayable)]
//! async fn order_breakfast(ctx: &Ctx, shop: &Remote) -> Result<String> {
//!     let tea = shop.call("order", json!({ "item": "tea" })).within(ctx).await?;
//!     Ok(tea.content()[0].as_text().unwrap_or_default().to_owned())
//! }
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! # runtime.block_on(async {
//! let shop = Remote::service(&shop::server().build().unwrap());
//! let service = Server::new("hotel", "1.0.0").state(shop).tools(tools![order_breakfast]).build().unwrap();
//! # #[cfg(feature = "testing")] {
//! # let mut client = mcp_runtime::testing::Client::new(&service, mcp_runtime::Revision::LATEST);
//! # let ordered = client.call("order_breakfast", ()).accept(shop::Confirm { confirmed: true }).await;
//! # assert_eq!(ordered.text(), "tea is ordered");
//! # assert_eq!(ordered.asked()[0].key(), "shop/order/confirm");
//! # }
//! # });
//! ```
//!
//! | | |
//! | --- | --- |
//! | [`Remote::stdio`], [`Remote::http`], [`Remote::service`] | where the server is |
//! | [`Remote::call`] | calls a tool by its name |
//! | [`Remote::call_tool`], [`remote_tools!`](crate::remote_tools) | calls a tool with types, which are generated from a saved list |
//! | [`within`](RemoteCall::within) | calls it within the call of your tool: the server can ask its client |
//! | [`Remote::tools`] | the list of its tools |
//!
//! # The other server and your client
//!
//! Within a call, the other server can do what your own tool can do. Its questions, its requests to the model, its log
//! messages and its progress go to the client of your tool, in every combination of revisions. It is told what this client
//! can be asked, and it is told if the call is cancelled. The trace of the call is passed on, in `traceparent`. The principal
//! and the credentials of the client are not: the other server knows your server only. (A [service](Remote::service) in the
//! same process gets the principal.)
//!
//! The other server can go on with a call in a task, if it has tasks (since 2026-07-28): every call tells it that tasks are
//! followed, also if the client of your tool does not know them. Your tool waits for the result.
//!
//! A request that has come through eight servers is not passed on, because the servers probably call each other. Each server
//! of this crate counts in the member `hops` of `_meta`.
//!
//! # What runs once
//!
//! Each request to the other server is a [step](crate::Ctx::step) of your tool's call. If the call is rebuilt, the outcome of
//! the request is read from the record, and the request is not sent again.
//!
//! | fault | the other server | what your tool gets |
//! | --- | --- | --- |
//! | this process ends between two rounds | since 2026-07-28 | the result: the record contains the state of the other server |
//! | | before 2026-07-28 | an error: the call has ended with its session, and is not sent again |
//! | this process ends while it follows a task | since 2026-07-28 | the result: the record contains the task |
//! | this process, or the connection, ends while a request is open | its tool is `read_only` or `idempotent`, or it minds idempotency keys | the request is sent again, after a lost connection once |
//! | | other | [`UnknownOutcome`](crate::call::StepError), or [`RemoteError::Lost`] |
//! | the call is cancelled while a request is open | its tool is `read_only` or `idempotent`, or it minds idempotency keys | a repeated request sends it again |
//! | | other | the reply, if it comes within a second, or an error |
//!
//! A server minds idempotency keys if its `experimental` capabilities contain `idempotency-key`. A server of this crate with
//! a [store](crate::store) declares `{"idempotency-key": {"keptForMs": 3600000}}`: it recognizes a key for at least an hour,
//! in milliseconds. Then the first request of a call has such a key in `_meta`. If the server keeps keys for a shorter time
//! than an hour, or than your tool waits for an answer
//! ([`answer_within`](crate::tool::ToolDefinition::answer_within)), this counts as a server that does not mind keys. If it
//! does not say how long, it counts as one that keeps them long enough.
//!
//! # Connections
//!
//! A remote connects when it is first used. It asks for revision 2026-07-28, and begins a session if the server does not
//! have it. If a connection ends, the next request connects again. After failures, the remote waits before
//! it connects, for at most 30 seconds.
//!
//! Since 2026-07-28 all requests share one connection. Before, the questions of a session do not say to which request they
//! belong. So a session serves one call at a time if its client can answer questions, and further calls get further sessions:
//! see [`Remote::max_sessions`].
//!
//! | limit | default | |
//! | --- | --- | --- |
//! | time without a reply and without progress | 60 s | [`Remote::timeout`], [`RemoteCall::timeout`] |
//! | time until a process has started | 60 s, or the timeout | |
//! | open requests | 64 | [`Remote::max_requests`] |
//! | sessions for calls whose client can answer questions | 4 processes, 64 over HTTP | [`Remote::max_sessions`] |
//! | a message of the server | 16 MiB | [`Remote::max_message`] |
//! | its `requestState` | 64 KiB | |
//! | its lists | 20,000 items in each, 64 MiB in all | |

pub use crate::{
    apps::gather::{Mount, MountStatus},
    serve::client::ProtocolError,
    serve::remote::{
        ClientCredentials, ReadRemote, Remote, RemoteCall, RemoteCallWithin, RemoteError, RemoteTool, RemoteToolCall,
        RemoteToolCallWithin,
    },
};
