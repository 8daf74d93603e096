use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = include_str!("pages/good.html"))]
struct SeatMap;

fn main() {}
