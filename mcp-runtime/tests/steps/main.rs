//! What a plain tool needs for a replay: steps, clocks, random numbers and keys, and their scope.

mod deadlines;
mod effects;
mod keyed;
mod ledger_scope;
mod ledgers;
mod principals;
mod recorded_values;
mod step_results;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../once/wire.rs"]
mod wire;
mod world;
