use mcp_runtime::prelude::*;

/// Renders a film.
#[mcp_tool(task)]
async fn render(frames: u32) -> String {
    frames.to_string()
}

fn main() {}
