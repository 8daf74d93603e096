//! Actions: one tool with many operations, called with `handle` and by clients.

mod catalog_inputs;
mod describes;
#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
#[path = "../support/directory.rs"]
mod directory;
mod dispatch;
mod errors;
mod instructions;
mod internal;
mod jobs;
#[cfg(all(any(feature = "postgres", feature = "redis", feature = "sqlite"), unix))]
mod killed;
mod lists;
mod pipelines;
#[cfg(all(feature = "postgres", unix))]
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/postgres_server.rs"]
mod postgres_server;
#[cfg(all(feature = "redis", unix))]
mod redis;
#[cfg(all(feature = "redis", unix))]
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/redis_server.rs"]
mod redis_server;
mod refused_by_build;
mod runs;
mod runs_of_clients;
mod stores;
mod tool;
