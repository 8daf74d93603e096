//! Tools inside an application.

mod answers;
mod bounds;
mod cancelled;
mod ends;
mod handlers;
mod limits;
mod owners;
mod restarts;
mod routes;
mod stores;
pub(crate) mod support;
mod timelines;
mod urls;
mod views;
