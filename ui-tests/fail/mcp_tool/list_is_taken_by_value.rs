use mcp_runtime::prelude::*;

/// Adds numbers.
#[mcp_tool]
async fn sum(numbers: &[i64]) -> String {
    numbers.iter().sum::<i64>().to_string()
}

fn main() {}
