//! Contracts: services whose methods are tools, through the door for MCP and through an invoker.

mod descriptor;
mod invoker;
#[cfg(feature = "rest")]
mod notes;
#[cfg(feature = "rest")]
mod rest;
mod service;
mod tools;
