//! The default is a value of the type.

use mcp_runtime::prelude::*;

#[derive(Choice)]
enum Mode {
    Fast,
    Thorough,
}

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The port.
    #[setting(default = 70000)]
    port: u16,
    /// How to search.
    #[setting(default = "slow")]
    mode: Mode,
    /// The folder to search.
    #[setting(default = 3)]
    root: std::path::PathBuf,
    /// Whether to follow links.
    #[setting(default = "yes")]
    links: bool,
    /// The names to skip.
    #[setting(default = "a")]
    skip: Vec<String>,
    /// The ways to search.
    #[setting(default = ["fast", "slow"])]
    modes: Vec<Mode>,
    /// The ports.
    #[setting(default = ["80"])]
    ports: Vec<u16>,
}

fn main() {}
