//! Tools inside an application.

mod answers;
mod ends;
mod handlers;
mod limits;
mod restarts;
mod routes;
mod support;
mod timelines;
