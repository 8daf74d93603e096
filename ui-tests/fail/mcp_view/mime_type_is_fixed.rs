use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", mime_type = "text/html")]
struct SeatMap;

fn main() {}
