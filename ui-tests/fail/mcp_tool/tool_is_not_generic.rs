use mcp_runtime::prelude::*;

/// Echoes a value.
#[mcp_tool]
async fn echo<T: Into<String>, const N: usize>(value: T) -> String {
    value.into().repeat(N)
}

fn main() {
    let _ = tools![echo];
}
