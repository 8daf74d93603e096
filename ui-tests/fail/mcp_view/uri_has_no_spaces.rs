use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/free seats", html = "pages/good.html")]
struct SeatMap;

fn main() {}
