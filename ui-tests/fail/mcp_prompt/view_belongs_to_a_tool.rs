use mcp_runtime::prelude::*;

/// Asks for a seat.
#[mcp_prompt(view = SeatMap)]
async fn seat() -> String {
    String::new()
}

fn main() {
    let _ = prompts![seat];
}
