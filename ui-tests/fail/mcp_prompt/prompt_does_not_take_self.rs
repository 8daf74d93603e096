//! A prompt is a free function.

use mcp_runtime::prelude::*;

struct Team;

impl Team {
    /// Asks for a greeting.
    #[mcp_prompt]
    async fn greet(&self) -> String {
        "Greet me.".to_owned()
    }
}

fn main() {
    let _ = Team;
}
