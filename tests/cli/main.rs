//! A server's program at the command line: what it asks, what it writes where, and its exit code.
//!
//! The server is `server.rs`, as a real process.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

mod answers;
mod calls;
mod ends;
#[cfg(unix)]
mod http;
mod pages;
mod program;
#[cfg(unix)]
mod prompts;
#[cfg(unix)]
mod replies;
mod sampling;
#[cfg(unix)]
mod terminal;
