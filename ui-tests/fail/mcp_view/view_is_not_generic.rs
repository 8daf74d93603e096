use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html")]
struct SeatMap<const N: usize>;

fn main() {}
