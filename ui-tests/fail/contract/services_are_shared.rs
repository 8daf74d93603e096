use mcp_runtime::contract;

struct Clock(u64);

/// The clock.
#[contract(resource = "clock")]
impl Clock {
    /// Returns the time.
    async fn now(self) -> u64 {
        self.0
    }

    /// Sets the time.
    async fn set(&mut self, time: u64) {
        self.0 = time;
    }

    /// Creates a clock.
    async fn create(time: u64) -> u64 {
        time
    }
}

fn main() {}
