//! What a plain tool needs for a replay: steps, clocks, random numbers and keys, and their scope.

mod deadlines;
mod effects;
mod keyed;
mod ledger_scope;
mod principals;
mod recorded_values;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../support/shared_ledger.rs"]
mod shared_ledger;
mod step_results;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../once/wire.rs"]
mod wire;
mod world;
