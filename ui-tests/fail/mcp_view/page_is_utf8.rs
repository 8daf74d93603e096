use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/latin1.html")]
struct SeatMap;

fn main() {}
