//! Processes that are killed or stall, and others that go on with their calls.

mod died;
mod process;
mod served;
mod stalled;
