use mcp_runtime::prelude::*;

/// Searches the notes.
#[mcp_tool]
async fn search(
    #[serde(default = 20)]
    #[schemars(range(max = 10))]
    limit: u32,
    #[serde(default = -1.5)]
    #[schemars(range(min = 0, max = 10))]
    weight: f64,
) {
    let _ = (limit, weight);
}

fn main() {
    let _ = tools![search];
}
