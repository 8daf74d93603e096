use mcp_runtime::{ListRequest, ResourceEntry, prelude::*};

/// A page.
#[mcp_resource("docs://pages/{name}", list = pages)]
async fn page(name: String) -> String {
    name
}

fn pages(_: ListRequest) -> Vec<ResourceEntry> {
    Vec::new()
}

fn main() {
    drop(resources![page]);
}
