use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", permissions(camera, clipboard))]
struct SeatMap;

fn main() {}
