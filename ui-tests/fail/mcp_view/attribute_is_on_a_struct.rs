use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html")]
enum SeatMap {}

fn main() {}
