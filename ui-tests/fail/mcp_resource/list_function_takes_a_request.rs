//! A list function takes a request, and cannot ask the user.

use mcp_runtime::{prelude::*, resource::ResourceEntry};

#[elicits]
enum Forms {
    Filter { text: String },
}

/// A page.
#[mcp_resource("docs://pages/{name}", list = pages)]
async fn page(name: String) -> String {
    name
}

async fn pages(_: &Ctx<Forms>) -> Vec<ResourceEntry> {
    Vec::new()
}

fn main() {
    let _ = resources![page];
}
