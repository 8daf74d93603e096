//! The names of well-known types choose words only: a type of such a name is judged by what it is.

use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct NaiveDate(String);

mod uuid {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub struct Uuid(pub u8);
}

/// Lists the flights of a day.
#[mcp_tool(read_only)]
async fn flights(day: NaiveDate, of: Vec<uuid::Uuid>) -> String {
    format!("{} {}", day.0, of.iter().map(|id| u32::from(id.0)).sum::<u32>())
}

#[derive(SampleTools)]
#[allow(dead_code)]
enum Search {
    /// Searches a day.
    Day { day: Option<NaiveDate> },
}

fn main() {
    let _ = tools![flights];
}
