//! The runtime may be reached by another path.
mod vendored {
    pub mod mcp {
        pub use mcp_runtime::*;
    }
}
use vendored::mcp;

struct Wait;

/// Waits.
#[mcp::handoff(crate = crate::vendored::mcp, name = "wait.for", title = "Wait", read_only, timeout = "5m", allow(unportable_name), meta(a = 1))]
impl Wait {
    async fn before(&self, seconds: u8) -> u8 {
        seconds
    }

    async fn client(_ctx: &mcp::Ctx, seconds: &u8) -> u8 {
        *seconds
    }

    async fn after(&self, _seconds: u8, answer: u8) -> String {
        answer.to_string()
    }
}

fn main() {
    assert!(mcp::Server::new("test", "1").tool(Wait).build().is_ok());
}
