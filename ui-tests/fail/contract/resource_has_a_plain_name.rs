use mcp_runtime::contract;

struct Clock;

#[contract(resource = "wall clock")]
impl Clock {
    /// Returns the time.
    async fn now(&self) -> u64 {
        0
    }
}

struct Timer;

#[contract(resource = "rpc")]
impl Timer {
    /// Returns the time.
    async fn now(&self) -> u64 {
        0
    }
}

struct Calendar;

#[contract(resource = "")]
impl Calendar {
    /// Returns the day.
    async fn today(&self) -> u64 {
        0
    }
}

fn main() {}
