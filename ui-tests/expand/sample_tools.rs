#[derive(SampleTools)]
#[tool(crate = crate::facade::mcp)]
pub enum Strategy {
    /// Attack.
    PlayOffensive {
        /// Why.
        reasoning: String,
        #[serde(alias = "at", default = "centre")]
        #[schemars(range(max = 8))]
        cell: u8,
    },
    /// Look something up.
    Search(Query),
    #[tool(name = "give-up", description = "Resign.")]
    Resign,
}
