use mcp_runtime::prelude::*;

struct Query;

#[mcp_tool(name = "add two", titel = "Add", read_only, destructive, timeout = "soon")]
fn add(a: &str, (b, c): (i64, i64), #[serde(flatten)] d: i64, query: Query) -> &str {
    let _ = (b, c, d, query);
    a
}

fn main() {
    let _ = tools![add];
}
