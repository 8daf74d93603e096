//! Actions: one tool with many operations, called with `handle` and by clients.

mod describes;
mod dispatch;
mod errors;
mod instructions;
mod internal;
mod lists;
mod pipelines;
mod tool;
