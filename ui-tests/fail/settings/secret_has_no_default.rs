//! The value of a secret is not in the program.

use mcp_runtime::{prelude::*, settings::Secret};

type Token = Secret<String>;

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The token of the service.
    #[setting(default = "s3cr3t")]
    token: Token,
    /// The PIN.
    #[setting(secret, default = 1234)]
    pin: Secret<u32>,
}

fn main() {}
