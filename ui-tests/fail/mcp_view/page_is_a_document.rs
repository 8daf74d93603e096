use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/fragment.html")]
struct SeatMap;

fn main() {}
