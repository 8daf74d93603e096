use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", csp(connect = "https://api.example; script-src *"))]
struct SeatMap;

fn main() {}
