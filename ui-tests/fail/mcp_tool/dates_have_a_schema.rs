use mcp_runtime::prelude::*;

/// Stands for the crate without the feature `serde`.
mod chrono {
    pub struct NaiveDate;
}

/// Lists the flights of a day.
#[mcp_tool(read_only)]
async fn flights(day: Option<chrono::NaiveDate>) -> String {
    day.map_or("none", |_| "some").to_owned()
}

fn main() {}
