//! The code `#[mcp_tool]` writes: what it publishes and what it reads.

use mcp_runtime::prelude::*;

struct Db;

/// Adds two numbers.
///
/// And more.
#[mcp_tool(read_only, timeout = "30s", requires(sampling), meta(foo = 1, "a/b" = "x"))]
async fn add(
    _db: &Db,
    ctx: &Ctx,
    /// The first.
    #[schemars(range(min = 1))]
    a: i64,
    b: Option<i64>,
    #[serde(default)] c: u32,
    #[serde(default = "ten", rename = "dd")] d: u32,
) -> String {
    let _ = (ctx, d, c);
    format!("{}", a + b.unwrap_or(0))
}

fn ten() -> u32 {
    10
}

#[test]
fn t() {
    let tools = tools![add];
    println!("{:#?}", tools[0].definition());
}
