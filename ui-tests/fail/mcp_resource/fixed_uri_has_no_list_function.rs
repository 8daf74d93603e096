//! Only a template has a list function.

use mcp_runtime::{
    prelude::*,
    resource::{ListRequest, ResourceEntry},
};

/// A page.
#[mcp_resource("docs://page", list = pages)]
async fn page() -> String {
    String::new()
}

async fn pages(_: ListRequest) -> Vec<ResourceEntry> {
    Vec::new()
}

fn main() {
    let _ = resources![page];
}
