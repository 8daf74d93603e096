//! The tools that every measured server has, written with `mcp-runtime`.

use mcp_runtime::{Tool, mcp_tool, tools};

use super::names::with_99_names;

/// Give the text back.
#[mcp_tool]
pub(crate) async fn echo(
    /// The text to give back.
    text: String,
) -> String {
    text
}

macro_rules! find_tools {
    ($($name:ident)*) => {
        $(
            /// Find places that match a query, in the order of how well they match.
            #[mcp_tool]
            async fn $name(
                /// What to look for: words, or a regular expression between slashes.
                query: String,
                /// The folder to look in, relative to the root.
                folder: Option<String>,
                /// How many matches to give back at most.
                limit: u32,
            ) -> String {
                format!("{query} in {folder:?}, {limit}")
            }
        )*

        pub(crate) fn find_tools() -> Vec<Box<dyn Tool>> {
            tools![$($name),*].into_iter().collect()
        }
    };
}

with_99_names!(find_tools);
