//! A search in place of a long list of tools.
//!
//! A client puts the whole list of tools into the context of its model. [`Server::searchable`](crate::Server::searchable)
//! keeps the list short, however many tools the server has: it contains `search_tools`, `call_tool`, and the tools that are
//! [pinned](Search::pin). The model searches for what it needs, and calls what it has found. The guide
//! [`many_tools`](crate::guide::many_tools) compares this with other ways, and says how it was measured.
//!
//! ```
//! use mcp_runtime::{prelude::*, search::Search};
//! use serde_json::json;
//!
//! /// Creates an issue in a project.
//! #[mcp_tool]
//! async fn create_issue(
//!     /// What is wrong, in a few words.
//!     title: String,
//! ) -> String {
//!     format!("created `{title}`")
//! }
//!
//! /// Sends an invoice to a customer.
//! #[mcp_tool]
//! async fn send_invoice(customer: String) -> String {
//!     format!("sent to {customer}")
//! }
//!
//! // … and 300 more.
//! let tools = tools![create_issue, send_invoice];
//! let search = Search::new().about("issues, invoices and customers");
//! let service = Server::new("office", "1.0.0").tools(tools).searchable(search).build().unwrap();
//! # #[cfg(feature = "testing")]
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! # use mcp_runtime::testing::Client;
//! let mut client = Client::modern(&service);
//!
//! let names: Vec<_> = client.tools().await.into_iter().map(|tool| tool["name"].clone()).collect();
//! assert_eq!(names, ["search_tools", "call_tool"]);
//!
//! let found = client.call("search_tools", json!({ "query": "report an issue" })).await;
//! assert!(found.text().starts_with("1 of 2 tools, the best match first:\n\n`create_issue`: Creates an issue in a project."));
//!
//! let call = json!({ "name": "create_issue", "arguments": { "title": "no tea" } });
//! assert_eq!(client.call("call_tool", call).await.text(), "created `no tea`");
//! # });
//! ```
//!
//! # `search_tools`
//!
//! | argument | |
//! | --- | --- |
//! | `query` | a text: what the tool should do, or the name of a tool |
//! | `limit` | how many tools to return, 1 to 20; default: 5 |
//!
//! The result has the tools that match, the best first, as text and as structured content:
//! `{ "tools": [{ "name": …, "description": …, "inputSchema": … }], "totalTools": 300 }`. `totalTools` is the number of tools
//! that this caller can find. If no tool matches, `tools` is empty and the text says what to try.
//!
//! A description longer than 1,024 bytes is shortened after a sentence. A query that is the name of a tool returns this tool
//! first, with its whole description.
//!
//! A search looks for words: in the names of tools, in their descriptions, and in the names, descriptions and values of their
//! parameters. `listIssues`, `list_issues` and "listing an issue" have the same words. It ranks with BM25F: a word counts
//! more in a name than in a description, and more if few tools have it. It knows no synonyms, so describe a tool in the words
//! that users say. The words are those of English; other languages are searched without the endings of words.
//!
//! # `call_tool`
//!
//! | argument | |
//! | --- | --- |
//! | `name` | the name of the tool |
//! | `arguments` | its arguments, an object; default: `{}` |
//!
//! A call is a call of the named tool in all respects: its arguments are checked, scopes, capabilities and
//! [layers](crate::layer) hold, and its result, errors, questions, progress and tasks are those of the tool. The keys of
//! questions are the same. In [telemetry](crate::guide::observing), the call has the name of that tool. A request that resumes
//! the call has the arguments of the first one, as always. If there is no such tool, the error names the most similar one.
//!
//! A host that asks its user before a call sees `call_tool`, and not the hints of the tool, such as `read_only`. A host shows
//! no [view](crate::guide::views) with the results of `call_tool`: pin tools with views. Hosts do not let views call
//! `search_tools` and `call_tool`, because these reach tools that are only for models. Views call each tool by its own name.
//!
//! # Which tools are found
//!
//! All tools of the server that its list would show to the same caller, also those of a [`ToolList`](crate::tool::ToolList)
//! and of mounted servers. With [`Server::hide_unauthorized`](crate::Server::hide_unauthorized), a caller neither finds tools
//! whose scopes it lacks, nor gets their names in errors. A client in a session does not find tools that need capabilities
//! which it lacks. Tools that only views call (`visibility = "app"`) are not found, and stay in the list, because hosts look
//! there for them.
//!
//! A tool that is not in the list is still called by its own name, so that clients which know it need not search.
//!
//! # Cost
//!
//! The first search, and the first after the list has changed, creates an index of all tools: about 70 µs and 1.2 KiB for
//! each tool. It reads at most 8 KiB of each kind of text of a tool. Ranking 1,000 tools takes about 10 µs for a few words, and
//! 80 µs for a long question. A search reads the first 8 KiB of its query.

mod call_found;
mod find_tool;
mod index;
mod searchable;
mod settings;
mod text;
mod words;

pub use self::settings::Search;

/// The names of the tools of a search.
const SEARCH_TOOLS: &str = "search_tools";
const CALL_TOOL: &str = "call_tool";
