//! The type hides a secret.

use mcp_runtime::prelude::*;

#[derive(Debug, Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The token of the service.
    #[setting(secret)]
    token: String,
}

fn main() {}
