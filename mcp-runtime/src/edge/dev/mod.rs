//! `dev`: a page on which the tools of a program are tried, seen and broken while they are written.
//!
//! The command `dev` watches the sources of its own program, builds it with Cargo, and runs it in child processes. A page
//! calls the tools of these processes as any client does, in any revision, and shows each call as a conversation.
//!
//! - `project/` finds the sources, watches and builds them.
//! - `program/` runs the built program, and is the [`DevTarget`](target::DevTarget) of the page.
//! - `session/` is the client: its connections, its calls with their faults, and the log of all messages.
//! - `attach` reaches a server that runs elsewhere.
//! - `page/` serves the page and its interface, `dev-page/src/dev-api.d.ts`.
//! - `reported` is the other side, in the child process: what it tells its parent.

#[cfg_attr(not(test), expect(dead_code, reason = "the command attaches the page to a URL"))]
pub(crate) mod attach;
#[expect(dead_code, reason = "the command serves the page")]
pub(crate) mod page;
mod session;
#[expect(dead_code, reason = "processes of the program are such a target")]
pub(crate) mod target;
