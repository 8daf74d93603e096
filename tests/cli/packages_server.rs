//! A server's program with what packages show: icons, a prompt, and settings of every kind.

use std::{path::PathBuf, process::ExitCode};

use mcp_runtime::{
    content::{Icon, Theme},
    prelude::*,
    settings::Secret,
};

#[derive(Debug, Settings)]
#[allow(dead_code, reason = "`Debug` shows them")]
#[setting(prefix = "PACK")]
struct PackSettings {
    /// The folder to search.
    #[setting(default = ".", kind = "directory")]
    root: PathBuf,
    /// More folders.
    #[setting(kind = "directory")]
    more: Vec<PathBuf>,
    /// The rules.
    #[setting(default = "/etc/rules", kind = "file")]
    rules: PathBuf,
    /// How many results
    /// there are.
    #[setting(default = 20, min = 1, max = 100)]
    limit: u8,
    /// The size of the largest file in bytes.
    size: Option<u64>,
    /// How sure a match must be.
    #[setting(default = 0.5, min = 0, max = 1)]
    threshold: f64,
    /// How to search.
    #[setting(default = "fast", title = "Way to search")]
    mode: Mode,
    /// What else to do.
    modes: Vec<Mode>,
    /// Names that are skipped.
    #[setting(default = ["target", ".git"])]
    skip: Vec<String>,
    /// Whether to follow links.
    links: bool,
    /// Who searches.
    user: String,
    /// Token of the service.
    token: Secret<String>,
    /// The secret number.
    pin: Option<Secret<u16>>,
}

#[derive(Choice, Debug)]
enum Mode {
    Fast,
    #[choice(title = "As long as it takes")]
    Thorough,
}

/// Show the settings. It changes nothing.
///
/// It does not show secrets.
#[mcp_tool(read_only)]
async fn show(settings: &PackSettings) -> String {
    format!("{settings:?} {}", settings.token.expose_secret().len())
}

/// Write a letter.
#[mcp_prompt]
async fn letter() -> String {
    "Write a letter.".to_owned()
}

/// An image of one pixel.
const PIXEL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    Server::new("packed", "1.2.3")
        .title("Packed server")
        .website_url("https://example.com/packed")
        .icon(Icon::new("https://example.com/icon.png").mime_type("image/png").size("48x48").theme(Theme::Dark))
        .icon(Icon::new(PIXEL).mime_type("image/png"))
        .settings::<PackSettings>()
        .tools(tools![show])
        .prompts(prompts![letter])
        .run()
        .await
}
