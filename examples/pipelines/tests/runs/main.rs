//! The pipelines of the folder `data`: through `handle`, through clients, and as a process that is killed.

mod command_line;
mod folder;
mod handle;
mod readme;
mod served;
mod stopped;
mod support;
