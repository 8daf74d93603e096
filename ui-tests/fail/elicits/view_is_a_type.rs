use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "../mcp_view/pages/good.html")]
struct SeatMap;

#[elicits]
enum Booking {
    #[elicit(view = "SeatMap")]
    PickSeat { seat: String },
}

fn main() {}
