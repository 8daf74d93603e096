//! The value of a secret is not on a command line.

use mcp_runtime::{prelude::*, settings::Secret};

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The token of the service.
    #[setting(flag = "token")]
    token: Option<Secret<String>>,
    /// The key of the service.
    #[setting(kind = "file")]
    key: Secret<String>,
}

fn main() {}
