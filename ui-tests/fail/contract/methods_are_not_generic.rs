use mcp_runtime::contract;

/// The clock.
#[contract(resource = "clock")]
trait Clock {
    /// Returns the time.
    async fn now<T>(&self, zone: String) -> u64;
}

fn main() {}
