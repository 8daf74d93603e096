//! Tools, prompts and resources that change while the server runs.
//!
//! [`Service::tools`](crate::Service::tools), [`Service::prompts`](crate::Service::prompts) and
//! [`Service::resources`](crate::Service::resources) return the lists of a running service. A tool gets a list by
//! reference, if the server was built with [`Server::dynamic_tools`](crate::Server::dynamic_tools),
//! [`dynamic_prompts`](crate::Server::dynamic_prompts) or [`dynamic_resources`](crate::Server::dynamic_resources):
//!
//! ```
//! use mcp_runtime::{Server, Tool, prelude::*, tool::{DynamicTool, ToolChanges, ToolList}};
//! use serde_json::{Value, json};
//!
//! /// Replaces the tools for reports by one tool for each table.
//! #[mcp_tool]
//! async fn load(tools: &ToolList, tables: Vec<String>) -> mcp_runtime::Result<String> {
//!     let old = tools.names();
//!     let replaced = |tools: &mut ToolChanges| {
//!         old.iter().filter(|name| name.starts_with("report_")).for_each(|name| tools.remove(name));
//!         tables.into_iter().for_each(|table| tools.add(report(table)));
//!     };
//!     tools.edit(replaced)?;
//!     Ok(format!("{} tools", tools.names().len()))
//! }
//!
//! fn report(table: String) -> impl Tool {
//!     let schema = json!({ "type": "object", "properties": { "rows": { "type": "integer", "minimum": 1 } } });
//!     let (name, description) = (format!("report_{table}"), format!("Reports on {table}."));
//!     let run = move |_: Ctx, arguments: Value| {
//!         let table = table.clone();
//!         async move { format!("{} rows of {table}", arguments["rows"]) }
//!     };
//!     DynamicTool::from_schema(name, description, schema, run)
//! }
//!
//! let service = Server::new("reports", "1.0.0").dynamic_tools().tools(tools![load]).build().unwrap();
//! service.tools().add(report("orders".to_owned())).unwrap();
//! assert_eq!(service.tools().names(), ["load", "report_orders"]);
//! ```
//!
//! # What a change does
//!
//! - Each method makes one change, and `edit` makes several: a client sees either none or all of them. If
//!   [`Server::build`](crate::Server::build) would reject an item, or if another item has the same name or URI, the
//!   method returns an error that names the item, and nothing changes.
//! - A call keeps the tool that it began with. If a call is resumed in another process, or after it was dropped from
//!   memory, the call continues with the tool that has the same name at that time.
//! - The order of a list is the order in which its items were added; a replaced item keeps its place. If the list
//!   changes while a client reads its pages, the client can miss an item or see it twice. After the notice of the
//!   change, the client reads the list again.
//! - Adding a tool compiles the schema and writes the text of that tool only. The texts of the other tools are not
//!   written again.
//! - A change affects only this process. If several instances serve the same clients, change all of them.
//!
//! # Changes of files
//!
//! `Directory::watch` (feature `directory`) tells clients about the files of a folder: a client that subscribed to a file
//! gets a notice when the file changes, and all clients get one when files appear or disappear.
//!
//! If the tools come from a file, apply all differences between the file and the list in one `edit`. If a tool is
//! invalid, `edit` changes nothing, so the server keeps the tools that it has. `examples/dynamic` does this.
//!
//! # Notices
//!
//! | | in a session | since 2026-07-28 |
//! | --- | --- | --- |
//! | a client asks for notices | with `notifications/initialized`, about every list | with `subscriptions/listen`, about what the request names |
//! | a list has changed | `notifications/tools/list_changed`, `…/prompts/…`, `…/resources/…` | the same, with the id of the subscription |
//! | a resource has new content ([`updated`](crate::resource::ResourceList::updated)), and so its URIs with a query | `notifications/resources/updated`, after `resources/subscribe` | the same, if the subscription names its URI |
//! | the end | `resources/unsubscribe`, or the session ends | the client cancels the request, or the server sends its result when it shuts down |
//!
//! Changes within 10 milliseconds become one notice. A client that reads slowly gets one notice for all changes that it
//! has missed, and does not delay other clients. Over HTTP, a notice of a session waits until the client opens its
//! stream.
//!
//! A client can have 256 subscriptions;
//! [`Server::max_subscriptions_per_client`](crate::Server::max_subscriptions_per_client) sets another number. Each
//! subscription can name 1,000 resources, if their URIs have at most 64 KiB in total. All subscriptions of a client can name 10,000 resources with 1 MiB of URIs, and those of all clients
//! 100,000 with 16 MiB; each subscription counts as four resources in addition. Beyond these limits, a request is
//! rejected; over HTTP, with the status 429 for a client that has reached its own limit. If all clients together have
//! reached theirs, the client that has most loses its oldest `subscriptions/listen`, which ends with its result, and a
//! request is rejected with 503 only if no other client has more. To subscribe to a resource, a client over HTTP needs the scopes of that resource.
//!
//! All three lists of a server can change, also without a `dynamic_…` method. But then the server declares that a list
//! can change (`listChanged`, and `subscribe` for resources) only after the first use of `Service::tools`, `prompts` or
//! `resources`. So clients that connected earlier get no notices. If the server was built without prompts or resources,
//! these clients do not learn either that it now has them.
//!
//! Since 2026-07-28, the server says how long clients can keep a list (`ttlMs`): an hour, or not at all if the list can
//! change. [`Server::ttl`](crate::Server::ttl) sets another time. Within that time, clients do not ask again, and some
//! show the list that they have, whatever the notices say.
