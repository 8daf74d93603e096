use mcp_runtime::prelude::*;

/// Writes a poem.
#[mcp_tool(allow(undescribed_paramter, lengthy, undescribed-parameter))]
async fn poem(title: String) -> String {
    title
}

fn main() {
    let _ = tools![poem];
}
