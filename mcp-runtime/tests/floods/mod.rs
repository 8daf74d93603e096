//! What a client can make a server keep: each test floods one store of the server while another owner is served, and
//! measures the memory of the process. Each test runs in a process of its own.

mod bodies;
mod caller;
mod cancelled;
mod memory;
mod plugin;
mod runs;
mod subscriptions;
mod tasks;
mod waiting_calls;
