//! The type of a setting is owned and concrete.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The name.
    name: dyn Send,
}

fn main() {}
