//! Actions: one tool with many operations, called with `handle` and by clients.

mod catalog_inputs;
mod describes;
mod dispatch;
mod errors;
mod instructions;
mod internal;
mod jobs;
mod lists;
mod pipelines;
mod refused_by_build;
mod runs;
mod runs_of_clients;
mod tool;
