//! Skills: how a server teaches a model to use it.
//!
//! A *skill* is a folder with a `SKILL.md`: instructions for a task, such as "decide on a refund". A host shows only the
//! name and the description of each skill to its model. The model loads the instructions when it needs them, and then
//! perhaps further files. So a server can have many pages of instructions, and they cost a conversation nothing until
//! they are used. Skills need the feature `skills`.
//!
//! ```
//! use mcp_runtime::{Server, prelude::*};
//!
//! /// Finds the orders of a customer.
//! #[mcp_tool(read_only)]
//! async fn find_order(
//!     /// The number of the customer.
//!     customer: u32,
//! ) -> String {
//!     format!("no orders of {customer}")
//! }
//!
//! let server = Server::new("shop", "1.0.0")
//!     .tools(tools![find_order])
//!     .skills(skills!["../macros/skills/refunds"]);
//! # server.build().unwrap();
//! ```
//!
//! | instructions for | put them into |
//! | --- | --- |
//! | one tool | its description, and the descriptions of its parameters |
//! | every conversation, in a few sentences | [`Server::instructions`](crate::Server::instructions) |
//! | a task that needs several tools, or pages of text | a skill |
//! | a task that the user starts | a prompt |
//!
//! # Where skills are
//!
//! | | [`skills!`](crate::skills) | `Skills::directory` |
//! | --- | --- | --- |
//! | the files are | in the program | in a folder that is read with every request (feature `directory`) |
//! | mistakes are | compile errors | errors of [`build`](crate::Server::build); later the skill is left out, and the server logs why |
//! | skills change | with the program | at any time; with `watch`, clients are told |
//! | clients cache them | for one hour | not at all |
//!
//! In a folder, each folder with a `SKILL.md` is a skill, also deeper inside: `billing/refunds/SKILL.md` has the URI
//! `skill://billing/refunds/SKILL.md`. What is inside of a skill belongs to it, even another `SKILL.md`. If both have a
//! skill with the same URI, clients get the one of the program.
//!
//! # What clients see
//!
//! Since 2026-07-28, the server declares the extension `io.modelcontextprotocol/skills` and has three methods:
//!
//! | method | result |
//! | --- | --- |
//! | `skills/list` | the skills, sorted by URI, in pages: the URI of each `SKILL.md`, the frontmatter, and all files with their SHA-256 digests and sizes |
//! | `skills/get` | one skill, also if it is [unlisted](crate::skill::Skills::unlisted) |
//! | `resources/directory/read` | the files and folders in a folder of a skill, such as `skill://refunds/references` |
//!
//! In every revision, the files are resources: `resources/list` contains them, and `resources/read` returns the bytes
//! that have the published digest. The resource of a `SKILL.md` has the name and the description of the skill.
//!
//! A host verifies each file that it reads, and asks its user again if the files have changed. It treats the text of a
//! skill as input that is not trusted, and does not run a script of a skill without its user's permission. So a skill
//! should rather name the tools of its server than bring scripts.
//!
//! [`Skills::scope`](crate::skill::Skills::scope) restricts skills to callers with a scope. Other callers do not see these
//! skills and their files in lists, and cannot read them.
//!
//! # Skills that stay true
//!
//! A skill names tools and parameters, and these can be renamed. The command `check` (feature `cli`) finds a skill that
//! names a tool or a parameter that the server does not have, if the name is in backquotes and the text says what it is:
//!
//! | text | `check` looks for |
//! | --- | --- |
//! | ``the tool `find_order` ``, ``the `find_order` tool`` | a tool, prompt or resource with this name |
//! | `` `book_refund(order: 7, reason: "broken")` `` | if there is a tool `book_refund`: its parameters `order` and `reason` |
//! | ``the parameter `limit` of `find_order` `` | the parameter `limit` of the only tool that the sentence names |
//!
//! Names of other shapes than those of the server's tools are left out, such as ``the `Bash` tool`` of a host, and so are
//! tools of other servers, as in ``the `create_issue` tool of the server `github` ``. Blocks of code are not read. `check`
//! also compares embedded skills with their folders, if the folders are where they were when the program was built.
//!
//! # Specification
//!
//! SEP-2640, and the specification of Agent Skills at <https://agentskills.io/specification>.
