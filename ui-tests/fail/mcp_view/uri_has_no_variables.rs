use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/{flight}", html = "pages/good.html")]
struct SeatMap;

fn main() {}
