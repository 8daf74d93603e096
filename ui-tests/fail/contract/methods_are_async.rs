use mcp_runtime::contract;

/// The clock.
#[contract(resource = "clock")]
trait Clock {
    /// Returns the time.
    fn now(&self) -> u64;
}

fn main() {}
