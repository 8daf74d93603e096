//! Processes that are killed, stall, or have wrong clocks, and others that take over their calls.

mod clocks;
mod faketime;
mod kills;
mod process;
mod served;
mod stalled;
