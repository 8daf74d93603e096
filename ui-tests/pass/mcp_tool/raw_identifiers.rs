//! Names that are keywords: on the wire they have no `r#`.

use mcp_runtime::prelude::*;

/// Says what a thing is.
#[mcp_tool]
async fn r#type(r#match: String, #[serde(default)] r#mod: Option<bool>) -> String {
    format!("{match} {mod:?}", match = r#match, mod = r#mod)
}

fn main() {
    let tools = tools![r#type];
    assert_eq!(tools[0].definition().name(), "type");
}
