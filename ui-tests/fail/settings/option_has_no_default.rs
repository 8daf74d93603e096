//! A setting with a default always has a value.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// How many results there are.
    #[setting(default = 20)]
    limit: Option<u8>,
}

fn main() {}
