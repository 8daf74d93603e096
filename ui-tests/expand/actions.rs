/// Runs pipelines.
#[mcp_actions(title = "Pipelines", instructions = "Be brief.", catalog, timeout = "5s", crate = ::renamed)]
impl Pipelines {
    /// Lists the runs.
    #[action(list, alias = "runs", alias("all", limit = 100))]
    async fn list(&self, ctx: &Ctx, #[serde(default)] #[param(hint = "Ask for few.")] limit: u32) -> Json<Vec<Run>> {
        self.runs(ctx, limit)
    }

    fn runs(&self, _: &Ctx, _: u32) -> Json<Vec<Run>> {
        Json(Vec::new())
    }
}
