//! What a plain tool needs for a replay: steps, clocks, random numbers and keys, and their scope.

mod deadlines;
mod effects;
mod keyed;
mod ledger_scope;
mod principals;
mod recorded_values;
mod step_results;
mod world;

use crate::once::wire;
