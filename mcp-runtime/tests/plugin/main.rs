//! Tools inside an application.

mod answers;
mod bounds;
mod cancelled;
#[path = "../support/directory.rs"]
mod directory;
mod ends;
mod handlers;
mod limits;
mod owners;
#[cfg(all(feature = "postgres", unix))]
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/postgres_server.rs"]
mod postgres_server;
#[cfg(all(feature = "redis", unix))]
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/redis_server.rs"]
mod redis_server;
mod restarts;
mod routes;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/stores.rs"]
mod stores;
mod support;
mod timelines;
mod urls;
