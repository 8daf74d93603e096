//! Settings without a command line: a loader, and a server that an application builds. `tests/cli/settings.rs` tests them
//! in a process.

mod loader;
mod server;
