//! A list function takes the request after the state.

use mcp_runtime::{
    prelude::*,
    resource::{ListRequest, ResourceEntry},
};

struct Pages;

/// A page.
#[mcp_resource("docs://pages/{name}", list = of_nothing)]
async fn page(name: String) -> String {
    name
}

/// A chapter.
#[mcp_resource("docs://chapters/{name}", list = of_state)]
async fn chapter(name: String) -> String {
    name
}

async fn of_nothing() -> Vec<ResourceEntry> {
    Vec::new()
}

async fn of_state(_: ListRequest, _: &Pages) -> Vec<ResourceEntry> {
    Vec::new()
}

fn main() {
    drop(resources![page, chapter]);
}
