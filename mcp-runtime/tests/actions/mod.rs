//! Actions: one tool with many operations, called with `handle` and by clients.

mod catalog_inputs;
mod comparing;
mod describes;
mod dispatch;
mod errors;
mod instructions;
mod internal;
mod jobs;
#[cfg(unix)]
mod killed;
mod lists;
#[cfg(unix)]
mod outages;
mod pipelines;
mod records;
#[cfg(unix)]
mod redis;
mod refused_by_build;
mod run_limits;
mod runs;
mod runs_of_clients;
mod runs_of_processes;
mod tool;
