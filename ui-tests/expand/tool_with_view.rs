/// Shows the seats.
#[mcp_tool(view = SeatMap, visibility = "app")]
async fn show_seats() -> Json<Seats> {
    Json(Seats)
}
