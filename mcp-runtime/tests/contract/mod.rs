//! Contracts: services whose methods are tools, through MCP and through an invoker.

mod descriptor;
mod endpoints;
mod invoker;
mod jsonrpc;
mod mcp;
mod notes;
mod pieces;
mod rest;
mod service;
mod strangers;
mod tools;
