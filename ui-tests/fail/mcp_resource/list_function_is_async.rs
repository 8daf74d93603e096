use mcp_runtime::{
    prelude::*,
    resource::{ListRequest, ResourceEntry},
};

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
