//! Tools inside an application.

mod answers;
mod cancelled;
mod ends;
mod handlers;
mod limits;
mod owners;
mod restarts;
mod routes;
mod support;
mod timelines;
