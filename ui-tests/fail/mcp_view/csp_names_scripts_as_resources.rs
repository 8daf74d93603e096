use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", csp(script = "https://cdn.example"))]
struct SeatMap;

fn main() {}
