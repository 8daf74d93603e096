//! The server's own settings keep their names.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The file to read.
    path: String,
    /// Where data is stored.
    #[setting(env = "MCP_STORE")]
    database: String,
    /// Another server.
    mcp: String,
}

fn main() {}
