//! Each key has a value of its kind.

use mcp_runtime::{prelude::*, settings::Secret};

#[derive(Settings)]
#[setting(prefix = APP)]
struct AppSettings {
    /// The folder to search.
    #[setting(kind = directory, flag = 3)]
    root: std::path::PathBuf,
    /// The token of the service.
    #[setting(secret = "yes", env = TOKEN)]
    token: Secret<String>,
    /// The name.
    #[setting(title = "")]
    name: String,
}

fn main() {}
