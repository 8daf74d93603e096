//! The registration is a type: beside a module or a crate of the tool's name it needs another.

use mcp_runtime::prelude::*;

mod search {
    use mcp_runtime::prelude::*;

    /// Searches the notes.
    #[mcp_tool(register = SearchTool)]
    pub async fn search(text: String) -> String {
        text
    }
}

pub use search::search;

/// Tells the time.
#[mcp_tool(register = TimeTool)]
pub async fn serde() {}

fn main() {
    let tools = tools![search::SearchTool, TimeTool];
    assert_eq!(tools[0].definition().name(), "search");
    drop(search(String::new()));
}
