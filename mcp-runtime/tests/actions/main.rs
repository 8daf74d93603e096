//! Actions: one tool with many operations, called with `handle` and by clients.

mod catalog_inputs;
#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
mod comparing;
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
#[cfg(all(any(feature = "postgres", feature = "redis"), unix))]
mod outages;
mod pipelines;
#[cfg(all(feature = "postgres", unix))]
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/postgres_server.rs"]
mod postgres_server;
#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
#[allow(dead_code, reason = "each kind of store needs a part")]
mod records;
#[cfg(all(feature = "redis", unix))]
mod redis;
#[cfg(all(feature = "redis", unix))]
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/redis_server.rs"]
mod redis_server;
mod refused_by_build;
mod runs;
mod runs_of_clients;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/stores.rs"]
mod stores;
mod tool;
