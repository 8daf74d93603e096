#[handoff(title = "Book")]
/// Books a flight.
impl BookFlight {
    async fn before(
        &self,
        airports: &Airports,
        /// City.
        destination: String,
        date: Option<Date>,
    ) -> Result<Flights> {
        self.search(airports, destination, date).await
    }

    async fn client(ctx: &Ctx<Booking>, flights: &Flights) -> Result<Choice> {
        ask(ctx, flights).await
    }

    async fn after(&self, log: &PhaseCtx, flights: Flights, choice: Choice) -> Result<String, BookingError> {
        self.book(log, flights, choice).await
    }

    fn helper(&self) {}
}
