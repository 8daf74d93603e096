use mcp_runtime::contract;
use std::rc::Rc;

struct Clock;

/// The clock.
#[contract(resource = "clock")]
impl Clock {
    /// Returns the time.
    async fn now(&self) -> u64 {
        let time = Rc::new(1);
        std::future::ready(()).await;
        *time
    }
}

fn main() {}
