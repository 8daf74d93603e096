#[handoff(replayable)]
impl BookFlight {
    async fn before(&self, destination: String, db: &Db) -> Flights {
        self.search(destination)
    }

    async fn client(ctx: &Ctx<Booking>, flights: Flights) -> Choice {
        ask(ctx, flights).await
    }

    fn after(&self, flights: Flights) -> Result<String, BookingError> {
        self.book(flights)
    }

    fn helper(&self) {}
}
