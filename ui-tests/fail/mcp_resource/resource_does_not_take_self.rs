//! A resource does not take `self`.

use mcp_runtime::prelude::*;

struct Docs;

impl Docs {
    /// A page.
    #[mcp_resource("docs://page")]
    async fn page(&self) -> String {
        String::new()
    }
}

fn main() {}
