//! What a plain tool needs to be run again: steps, clocks, random numbers, keys; and how far that reaches.

mod anywhere;
mod deadlines;
mod deeds;
mod done_once;
mod drawn;
mod keyed;
mod ledgers;
mod principals;
#[allow(dead_code, reason = "shared with other tests, which use the rest")]
#[path = "../once/wire.rs"]
mod wire;
mod world;
