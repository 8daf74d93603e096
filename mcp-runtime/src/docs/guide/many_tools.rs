//! Many tools: how a model chooses among dozens or hundreds.
//!
//! A host sends the definitions of all tools to its model with every request. Thirty tools cost about 3,000 tokens, four
//! hundred about 45,000, and models choose worse among many. Some hosts accept only 40, 80 or 128 tools; the command `check`
//! says so.
//!
//! # Ways
//!
//! | way | the list contains | rounds until the call |
//! | --- | --- | --- |
//! | a plain list | all tools: about 100 tokens for each | one: the call |
//! | one tool with many actions, `#[mcp_actions]` | one tool | two: `describe` of an action, the action. One more if the model does not know the names of the actions |
//! | a search, [`Server::searchable`](crate::Server::searchable) | `search_tools`, `call_tool`, pinned tools | two: the search, the call |
//!
//! Choose the upper one that fits:
//!
//! - Up to about twenty tools: a plain list. The model sees everything, and calls at once.
//! - Many operations on one thing, written by you: `actions`. The model reads one line for each operation, so it sees what
//!   there is. This costs about 25 tokens for each operation when it asks, and no ranking can miss one.
//! - Many tools of different kinds, or of mounted servers, or more than a hundred: a search. What it costs does not depend on
//!   the number of tools. It can miss a tool, so pin the few that most conversations need, and say with
//!   [`Search::about`](crate::search::Search::about) what can be found.
//!
//! They combine: a tool with actions is one tool, which a search finds, and which can be pinned.
//!
//! ```
//! use mcp_runtime::{prelude::*, search::Search};
//!
//! /// Returns the user who is logged in.
//! #[mcp_tool(read_only)]
//! async fn current_user() -> &'static str {
//!     "ann"
//! }
//!
//! /// Creates an issue in a project.
//! #[mcp_tool]
//! async fn create_issue(title: String) -> String {
//!     title
//! }
//!
//! let search = Search::new().pin("current_user").about("projects: issues, milestones, releases");
//! let server = Server::new("projects", "1.0.0").tools(tools![current_user, create_issue]).searchable(search);
//! # server.build().unwrap();
//! ```
//!
//! # Tokens and hits
//!
//! How often a search finds the right tool, and the tokens until the model has called it:
//!
//! | questions | number | tools | right tool first | among 5 | among 10 | tokens: plain list | one line for each tool | search |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | `multiple` | 200 | 443 | 81.0 % | 97.0 % | 98.5 % | 44,790 | 10,366 | 811 |
//! | `simple_python` | 400 | 589 | 77.8 % | 95.0 % | 96.8 % | 60,846 | 14,021 | 826 |
//! | `live_multiple` | 1,053 | 457 | 65.7 % | 89.6 % | 94.4 % | 64,419 | 12,932 | 1,133 |
//! | `live_simple` | 258 | 515 | 48.8 % | 81.4 % | 85.3 % | 73,237 | 14,524 | 1,096 |
//!
//! With a plain list, and with one line for each tool (what `describe` of a tool with actions shows), every tool is there,
//! and the hits are those of the model. With a search, they are at most those of the table, unless the model searches again.
//!
//! The queries are whole questions of users, as they are. Those of the last two sets come from users of a public service: they
//! are misspelled, in several languages, or name a thing that no description names, such as a dish for a tool that orders food.
//! And several tools of these sets do the same. A model that searches knows English and the topics of the server, and
//! writes a few words.
//!
//! # How it is measured
//!
//! With the Berkeley Function-Calling Leaderboard: the package `bfcl-eval` 2026.3.23 of PyPI has tools, questions, and the
//! right tool for each question. All tools of a set are tools of one server. Each question is the `query` of one
//! call of `search_tools`; a hit is a question whose right tool is among the first 1, 5 or 10 results. Tokens are those of
//! `o200k_base`, for what the model reads and writes until it has called the tool: the list, the search with five results as
//! text, and the call. The list stays in the context for the whole conversation.
//!
//! `.ci/search` of the repository measures it again, and fails if the first set has fewer than 95 % hits among the first
//! five, or the second fewer than 92 %, or if a search takes more than a fifth of the tokens of the plain list.
//!
//! # Descriptions that are found
//!
//! - Write the words that a user would say: the verb and the object, in the name and in the first sentence.
//! - Describe the parameters, and list the values of an enumeration: their words count too.
//! - A search knows no synonyms. If users say "bill" and your tool says "invoice", write both.
//! - The rules of the command `check` hold for all tools, listed or not.
