//! The command line of a server's program: prompts, output and exit codes.
//!
//! The server is `server.rs`, as a real process.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

mod answers;
mod calls;
mod checks;
#[cfg(unix)]
mod clients;
#[cfg(target_os = "linux")] // reads `/proc`
mod dev;
mod doctors;
mod ends;
mod flags;
#[cfg(unix)]
#[allow(dead_code, reason = "the tools are those of the server; the scripted clients fill in its forms")]
mod forms;
#[cfg(unix)]
mod http;
mod install_settings;
mod installs;
mod letter_prompts;
mod packages;
mod pages;
mod paper_resources;
mod program;
#[cfg(unix)]
mod prompts;
#[cfg(unix)]
mod remotes;
#[cfg(unix)]
mod replies;
mod runs;
mod sampling;
mod settings;
#[cfg(unix)]
mod terminal;
