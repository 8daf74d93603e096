//! Contracts: services whose methods are tools, through MCP and through an invoker.

mod descriptor;
#[cfg(feature = "rest")]
mod doors;
mod invoker;
#[cfg(feature = "http")]
mod jsonrpc;
#[cfg(feature = "http")]
mod mcp;
#[cfg(feature = "http")]
mod notes;
#[cfg(feature = "http")]
mod pieces;
#[cfg(feature = "rest")]
mod rest;
mod service;
mod strangers;
mod tools;
