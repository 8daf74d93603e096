//! Processes that are killed or stall, or whose clocks are wrong, and others that go on with their calls.

mod clocks;
mod faketime;
mod kills;
mod process;
mod served;
mod stalled;
