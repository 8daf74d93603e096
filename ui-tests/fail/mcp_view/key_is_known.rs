use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", page = "pages/good.html")]
struct SeatMap;

fn main() {}
