//! A variable that every process has is not a setting.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "")]
struct AppSettings {
    /// Where programs are.
    #[setting(flag = "programs")]
    path: String,
    /// The folder of the user.
    #[setting(env = "HOME")]
    folder: String,
}

fn main() {}
