use mcp_runtime::prelude::*;

/// Writes a poem.
#[mcp_tool(allow)]
async fn poem() {}

/// Sings a song.
#[mcp_tool(allow = "long_description")]
async fn sing() {}

/// Paints a picture.
#[mcp_tool(allow(long_description, long_description))]
async fn paint() {}

fn main() {
    let _ = tools![poem, sing, paint];
}
