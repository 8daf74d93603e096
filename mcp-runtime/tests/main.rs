//! The tests of the crate as its users see it: one program, so that it is linked once. A test that must be alone in its
//! process begins with `in_own_process!()`.

mod actions;
mod actions_cost;
mod asking;
mod client_layer;
mod client_layer_global;
mod contract;
mod directory;
#[cfg(target_os = "linux")]
mod floods;
mod forms;
mod gather;
mod guard;
mod handoff;
mod http;
mod http_log;
mod mcp_tool;
mod once;
mod openapi;
mod plugin;
mod providers;
mod remote;
mod remote_tools;
mod renamed;
mod sample_tools;
mod sampling;
mod search;
mod settings;
mod skills;
mod steps;
mod support;
mod tasks;
mod testing;
mod watching;
