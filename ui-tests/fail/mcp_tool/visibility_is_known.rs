use mcp_runtime::prelude::*;

/// Shows the seats.
#[mcp_tool(visibility = "user")]
async fn show_seats() -> Json<u8> {
    Json(1)
}

fn main() {
    let _ = tools![show_seats];
}
