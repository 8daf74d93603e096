//! The smallest value is not greater than the largest, and the default is between them.

use mcp_runtime::prelude::*;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// How many results there are.
    #[setting(min = 100, max = 10)]
    limit: u8,
    /// The number of tries.
    #[setting(default = 0, min = 1)]
    tries: u8,
    /// How sure a match must be.
    #[setting(min = 0, max = 1, default = 1.5)]
    threshold: f64,
    /// The time between two tries, in seconds.
    #[setting(min = 0.5, default = 0.25)]
    pause: f64,
}

fn main() {}
