//! Every key of the attribute.

use mcp_runtime::prelude::*;

const VERSION: u32 = 3;

/// The docs, which `description` overrides.
#[mcp_tool(
    name = "tools.search-all_2",
    title = "Search",
    description = concat!("Searches", " everything."),
    icons("https://example.com/icon.png", mcp_runtime::content::Icon::new("data:,").size("any")),
    read_only,
    destructive = false,
    idempotent = true,
    open_world = false,
    requires(sampling, elicitation_url),
    optional(roots, elicitation, sampling_tools),
    scopes("search", "https://example.com/catalogue.read"),
    timeout = "500ms",
    answer_within = "24h",
    replayable,
    register = SearchTool,
    allow(unportable_name, undescribed_parameter),
    meta("example.com/version" = VERSION, beta = true, tags = vec!["a", "b"]),
    crate = ::mcp_runtime,
)]
pub async fn search(text: String) -> String {
    text
}

fn main() {
    assert_eq!(tools![SearchTool][0].definition().name(), "tools.search-all_2");
}
