use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", csp(connect = "https://api.example/v1"))]
struct SeatMap;

fn main() {}
