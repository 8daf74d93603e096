use mcp_runtime::prelude::*;

/// Searches the code.
#[mcp_tool(name = "search")]
async fn search_code() {}

mod issues {
    use mcp_runtime::prelude::*;

    /// Searches the issues.
    #[mcp_tool]
    pub async fn search() {}
}

fn main() {
    let _ = tools![search_code, issues::search];
}
