//! What the author allows causes no warning, and each attribute of an item accepts `allow`.
#![deny(warnings)]

use mcp_runtime::prelude::*;

/// Searches.
#[mcp_tool(name = "all.search", allow(repeated_description, unportable_name))]
async fn search() {}

struct Count;

/// Counts.
#[handoff(allow(repeated_description))]
impl Count {
    async fn before(&self) -> u8 {
        3
    }

    async fn client(_: &Ctx, _: &u8) {}

    async fn after(&self, count: u8, (): ()) -> String {
        count.to_string()
    }
}

/// The greeting.
#[mcp_prompt(allow(undescribed_parameter))]
async fn greeting(name: String) -> String {
    name
}

/// The page.
#[mcp_resource("docs://page", allow(repeated_description))]
async fn page() -> &'static str {
    ""
}

fn main() {
    let server = Server::new("s", "1").tools(tools![search]).tool(Count).prompts(prompts![greeting]);
    server.resources(resources![page]).build().unwrap();
}
