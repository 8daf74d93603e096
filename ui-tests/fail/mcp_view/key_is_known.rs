use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "pages/good.html", titel = "Seats")]
struct SeatMap;

fn main() {}
