use mcp_runtime::prelude::*;

/// Adds two numbers.
#[mcp_tool]
struct Add {
    a: i64,
    b: i64,
}

/// Flights.
#[mcp_tool]
impl Add {
    fn sum(&self) -> i64 {
        self.a + self.b
    }
}

fn main() {}
