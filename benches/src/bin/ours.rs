//! The same server written with `mcp-runtime`.

use mcp_runtime::{Server, Tool, mcp_tool, tools};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let mut server = Server::new("bench", "0.1.0").tools(tools![echo]);
    if std::env::args().nth(1).as_deref() == Some("100") {
        server = server.tools(find_tools());
    }
    server.serve_stdio().await
}

/// Give the text back.
#[mcp_tool]
async fn echo(
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

        fn find_tools() -> Vec<Box<dyn Tool>> {
            tools![$($name),*].into_iter().collect()
        }
    };
}

mcp_benches::with_99_names!(find_tools);
