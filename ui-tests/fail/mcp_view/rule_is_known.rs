use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", allow(undeclared_origins))]
struct SeatMap;

fn main() {}
