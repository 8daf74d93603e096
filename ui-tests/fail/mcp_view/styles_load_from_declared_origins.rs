use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/style.html", csp(connect = "https://cdn.example"))]
struct SeatMap;

fn main() {}
