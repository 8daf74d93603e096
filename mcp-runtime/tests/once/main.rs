//! Multi-round calls with failures. `before` runs once, and `after` runs once.
//!
//! Most tests run on one instance and, where states are sealed, on two that take turns and share a ledger and the keys;
//! with each kind of ledger.

mod cancelled;
mod cancelled_quota;
#[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
#[path = "../support/directory.rs"]
mod directory;
#[cfg(feature = "seal")]
mod elsewhere;
mod evicted;
mod expired;
#[cfg(all(any(feature = "postgres", feature = "redis", feature = "sqlite"), unix))]
mod killed;
mod modes;
#[cfg(all(any(feature = "postgres", feature = "redis"), unix))]
mod outages;
#[cfg(all(feature = "postgres", unix))]
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/postgres_server.rs"]
mod postgres_server;
mod questions;
mod random_instances;
mod rebuilt;
#[cfg(all(feature = "redis", unix))]
mod redis;
#[cfg(all(feature = "redis", unix))]
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/redis_server.rs"]
mod redis_server;
mod repeated;
mod replay_hazards;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/shared_ledger.rs"]
mod shared_ledger;
mod steps;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/stores.rs"]
mod stores;
mod tools;
mod troubled_ledger;
mod unconsumed_states;
#[cfg(not(feature = "seal"))]
mod unsealed;
mod wire;
mod world;
