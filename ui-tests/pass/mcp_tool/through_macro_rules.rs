//! A `macro_rules!` may write tools: its tokens arrive in invisible groups and with other spans.

use mcp_runtime::prelude::*;

struct Db;

macro_rules! counters {
    ($($name:ident: $doc:literal, $ty:ty, $state:ty, $output:ty = $value:expr;)*) => {
        $(
            #[doc = $doc]
            #[mcp_tool(read_only)]
            async fn $name(from: $ty, db: &$state, #[serde(default)] step: $ty) -> $output {
                let _ = (from, db, step);
                $value
            }
        )*

        fn all() -> Vec<Box<dyn mcp_runtime::Tool>> {
            tools![$($name),*]
        }
    };
}

counters! {
    flights: "Counts flights.", u32, Db, String = "many".to_owned();
    trains: "Counts trains.", Option<u32>, crate::Db, Result<String, ToolError> = Ok("few".to_owned());
}

fn main() {
    assert_eq!(all().len(), 2);
}
