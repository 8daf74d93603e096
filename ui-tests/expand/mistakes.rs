#[mcp_tool(titel = "Search")]
fn search(
    /// What to look for.
    text: String,
) -> String {
    text
}
