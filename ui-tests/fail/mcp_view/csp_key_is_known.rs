use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", csp(conect = "https://api.example"))]
struct SeatMap;

fn main() {}
