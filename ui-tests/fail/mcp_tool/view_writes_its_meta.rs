use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "../mcp_view/pages/good.html")]
struct SeatMap;

/// Shows which seats of a flight are free.
#[mcp_tool(view = SeatMap, meta(ui = 1))]
async fn show_seats() -> Json<u8> {
    Json(1)
}

fn main() {
    let _ = tools![show_seats];
}
