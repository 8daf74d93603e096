use mcp_runtime::prelude::*;

/// Shows which seats of a flight are free.
#[mcp_tool(visibility = "user")]
async fn show_seats() -> Json<u8> {
    Json(1)
}

fn main() {
    let _ = tools![show_seats];
}
