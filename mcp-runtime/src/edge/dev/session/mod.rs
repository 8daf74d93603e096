//! A session of the page: the client of the server that is tried, its calls with their faults, and the log of all
//! messages.
//!
//! Each part uses only those before it: `api` has the data of the interface, `hub` the stream of events, `log` the
//! messages, `client` the connections, `record` what the server remembers, `faults` what can go wrong, `calls` the
//! conversations; `commands` and `as_test` write a call in other forms; `core` and `requests` are the session itself, and
//! `recording` writes it to a file.

pub(crate) mod api;
mod as_test;
mod background;
mod calls;
mod client;
mod commands;
mod core;
pub(crate) mod error;
mod faults;
pub(crate) mod hub;
mod log;
pub(crate) mod model;
mod record;
pub(crate) mod recording;
mod requests;
#[cfg(test)]
pub(crate) mod tests;

pub(crate) use self::{
    api::new_call::NewCall,
    client::DevCompletion,
    core::{DevSession, SessionOptions},
};
