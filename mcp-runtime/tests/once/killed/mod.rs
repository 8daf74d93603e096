//! Processes that are killed or stall, or whose clocks are wrong, and others that go on with their calls.

mod clocks;
mod died;
mod faketime;
mod process;
mod served;
mod stalled;
