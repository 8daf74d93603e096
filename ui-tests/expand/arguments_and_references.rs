/// Searches for flights.
#[mcp_tool(read_only)]
pub async fn search(
    db: &Db,
    ctx: &Ctx,
    /// IATA code of the destination.
    #[schemars(length(equal = 3))]
    destination: String,
    #[serde(default)] date: Option<Date>,
    #[serde(rename = "max", default = "ten")] limit: u32,
    #[serde(deserialize_with = "price")]
    #[schemars(with = "f64")]
    budget: Price,
) -> Result<Json<Flights>, SearchError> {
    db.search(ctx, destination, date, limit, budget).await
}
