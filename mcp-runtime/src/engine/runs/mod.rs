//! Runs: calls that outlive their request.
//!
//! An action of [`mcp_actions`](macro@crate::mcp_actions) that is marked `run` works in the background. A call that is one
//! of the `tasks` of the protocol also works in the background. Both need the feature `actions`. This module stores such
//! runs.
//!
//! ```
//! use std::time::Duration;
//!
//! use mcp_runtime::runs::Runs;
//!
//! let runs = Runs::default()
//!     .limit(10)                                     // open runs of one owner
//!     .retention(Duration::from_secs(7 * 24 * 3600)) // how long a run is kept after its end
//!     .history(100);                                 // how many ended runs of one owner are kept
//! # let _ = runs;
//! ```
//!
//! # Limits
//!
//! The runs of a tool, or the tasks of a server, are limited in number and in bytes, for each owner and for all owners
//! together:
//!
//! | runs | of one owner | of all owners | when a limit is reached |
//! | --- | --- | --- | --- |
//! | [open](Runs::open_limits) | 100, 16 MiB | 1,000, 64 MiB | a new run is refused |
//! | [ended](Runs::ended_limits) | 1,000, 16 MiB | 10,000, 64 MiB | the oldest runs are removed |
//!
//! An owner loses only its own runs to its own limit. If the limit for all owners is reached, the owner that has most
//! loses its oldest run. So the runs of one owner, or of many owners with few runs each, do not remove the runs of
//! another owner that has fewer. What a run writes into its trace is limited to 200 entries and 128 KiB: the oldest
//! entries are dropped, and the trace says how many. A longer log message is left out.
//!
//! # Stores
//!
//! | store | its runs are known to | they survive |
//! | --- | --- | --- |
//! | [`MemoryRunStore`] | one process | nothing |
//! | `SqliteStore` (feature `sqlite`) | the processes of one machine | their process |
//! | `RedisStore` (feature `redis`) | all processes that reach Redis | their process |
//! | `PostgresStore` (feature `postgres`) | all processes that reach the database | their process |
//! | your own [`RunStore`] | all processes that share it | their process |
//!
//! # When a server process stops
//!
//! A run belongs to the process that began it. While it runs, each change of its status and each of its questions are
//! stored at once. Its trace is stored with every [heartbeat](Runs::heartbeat). When a process shows no sign of life
//! for two heartbeats, the others mark its open runs as `interrupted`. A process that starts again does the same with
//! the runs of its predecessor. A run is never continued by another process, because part of it would run twice.
//! Instead, its owner starts it again. If a process only seemed to have stopped, it notices that its runs were taken,
//! and cancels them. It notices this because a write fails if the stored record is not the version that the writer has
//! seen.
//!
//! A counter in the store shows whether a process runs. The time is not used, so clocks that differ or jump do not
//! interrupt a run. A process that has just started does not know yet which other processes run. When it is first asked
//! about an open run of another process, it answers as soon as that process has shown a sign of life, or has shown none
//! for so long that the run is marked as `interrupted`. This takes at most two heartbeats. So the first answer after a
//! restart is right: it does not say `working` for a run whose process has stopped.
//!
//! Other processes can show a run, wait for it, ask its questions, and cancel it. If another process receives an answer
//! or cancels the run, the process of the run notices it at once if the store [reports changes](RunStore::changes), and
//! with its next heartbeat otherwise. Log messages and progress reach only a call that waits in the same process.

mod background;
pub(crate) mod begin;
mod change;
mod changes;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod contract;
pub(crate) mod details;
mod feed;
mod follow;
mod heartbeat;
mod instances;
mod limits;
pub(crate) mod manager;
mod memory;
mod record;
mod recorder;
mod settings;
mod store;
mod trace;

pub use self::settings::Runs;
pub(crate) use self::store::ServerRunStore;
pub use self::{
    changes::RunChanges,
    limits::{RunInsertion, RunLimits, RunQuota},
    memory::MemoryRunStore,
    record::{RunRecord, RunStatus},
    store::{InstanceBeat, RunFilter, RunStore, RunStoreError, RunStoreFuture},
};
pub(crate) use self::{
    feed::RunEnd,
    manager::{RunsAsTasks, TaskResultFn},
    trace::moment,
};
