//! Tools inside an application.

mod answers;
mod ends;
mod handlers;
mod limits;
mod restarts;
mod support;
mod timelines;
