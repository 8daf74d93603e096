use mcp_runtime::contract;

struct Clock;

/// The clock.
#[contract]
impl Clock {
    /// Returns the time.
    async fn now(&self) -> u64 {
        0
    }
}

fn main() {}
