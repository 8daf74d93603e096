use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html")]
#[mcp_view("ui://flights/map", html = "pages/good.html")]
struct SeatMap;

fn main() {}
