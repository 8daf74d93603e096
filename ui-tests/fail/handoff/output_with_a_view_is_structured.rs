use mcp_runtime::prelude::*;

#[mcp_view("ui://flights/seats", html = "../mcp_view/pages/good.html")]
struct SeatMap;

struct Book;

/// Reserves a seat of a flight.
#[handoff(view = SeatMap)]
impl Book {
    async fn before(&self) {}

    async fn client(_ctx: &Ctx, _: &()) {}

    async fn after(&self, _: (), _: ()) -> String {
        String::new()
    }
}

fn main() {}
