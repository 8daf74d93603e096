/// What booking asks.
#[elicits(crate = ::facade::mcp)]
#[derive(Clone, Debug)]
pub enum Booking {
    /// Pick one of
    /// the flights.
    PickFlight {
        /// The flight's number.
        #[elicit(title = "Flight", default = "TP1", max_length = 6, min_length = 3)]
        flight_id: String,
        #[elicit(rename = "Seat", enum_names, default = "none")]
        r#type: Option<crate::Seat>,
        #[elicit(description = "In kilograms.", min = -0.5, max = 23)]
        weight: f64,
        #[elicit(min_items = 1, max_items = 2, default = ["window", "aisle"])]
        extras: MultiSelect<Extra>,
        #[elicit(format = "date-time", description = include_str!("since.md"))]
        since: String,
        #[elicit(not_secret)]
        pin: bool,
    },
    #[elicit(key = "sure")]
    Type(Confirm),
    /// What else.
    Details(details::Details),
}
