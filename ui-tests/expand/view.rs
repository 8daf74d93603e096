/// The seats of a flight.
#[mcp_view(
    "ui://flights/seats",
    html = "seats.html",
    csp(connect = "https://api.example"),
    permissions(camera),
    prefers_border,
    crate = crate::mcp
)]
pub struct SeatMap;
