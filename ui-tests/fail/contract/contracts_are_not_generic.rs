use mcp_runtime::contract;

/// The clock.
#[contract(resource = "clock")]
trait Clock<T> {
    /// Returns the time.
    async fn now(&self) -> u64;
}

struct Timer<T>(T);

/// A timer.
#[contract(resource = "timers")]
impl<T> Timer<T> {
    /// Returns the time.
    async fn now(&self) -> u64 {
        0
    }
}

fn main() {}
