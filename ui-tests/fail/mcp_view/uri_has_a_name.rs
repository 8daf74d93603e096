use mcp_runtime::prelude::*;

#[mcp_view("ui:///seats", html = "pages/good.html")]
struct SeatMap;

fn main() {}
