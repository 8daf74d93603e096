use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", csp(connect = [API]))]
struct SeatMap;

fn main() {}
