use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages")]
struct SeatMap;

fn main() {}
