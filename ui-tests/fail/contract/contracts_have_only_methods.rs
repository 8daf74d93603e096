use mcp_runtime::contract;

/// The todos.
#[contract(resource = "todos")]
trait Todos {
    type Error;

    const MOST: usize = 10;

    /// Lists the titles.
    async fn list(&self) -> Vec<String>;
}

struct Clock;

/// The clock.
#[contract(resource = "clock")]
impl Clock {
    const ZONE: &'static str = "UTC";

    /// Returns the time.
    async fn now(&self) -> u64 {
        0
    }
}

fn main() {}
