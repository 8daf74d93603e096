use mcp_runtime::prelude::*;

#[mcp_tool]
async fn add(a: i64, b: i64) -> String {
    format!("{}", a + b)
}

fn main() {
    let _ = tools![add];
}
