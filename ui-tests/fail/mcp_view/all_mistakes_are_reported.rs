//! One compilation shows all mistakes.

use mcp_runtime::prelude::*;

#[mcp_view("flights/seats", html = "pages/fragment.html", csp(connect = "*", fonts = "a"), permissions(usb))]
struct SeatMap;

/// Shows which seats of a flight are free.
#[mcp_tool(view = SeatMap)]
async fn show_seats() -> Json<u8> {
    Json(1)
}

fn main() {
    let _ = tools![show_seats];
}
