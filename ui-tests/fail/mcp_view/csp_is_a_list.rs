use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", csp = "https://api.example")]
struct SeatMap;

fn main() {}
