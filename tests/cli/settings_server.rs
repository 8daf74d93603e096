//! A server's program with settings of every kind.

use std::{path::PathBuf, process::ExitCode};

use mcp_runtime::{prelude::*, settings::Secret};

#[derive(Debug, Settings)]
#[allow(dead_code, reason = "`Debug` shows them")]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The folder to search. It can be a link.
    #[setting(default = ".", kind = "directory")]
    root: PathBuf,
    /// How many results there are.
    #[setting(default = 20)]
    limit: u8,
    /// How to search.
    #[setting(default = "fast")]
    mode: Mode,
    /// Names that are skipped.
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
    Thorough,
}

/// The length of the token, which is made from the settings.
struct TokenLength(usize);

/// Show the settings.
#[mcp_tool(read_only)]
async fn show(settings: &AppSettings, length: &TokenLength) -> String {
    format!("{settings:?} {}", length.0)
}

/// Ask a question, so that the server has states to seal.
#[elicits]
enum Question {
    Confirm { confirmed: bool },
}

/// Ask the user.
#[mcp_tool]
async fn ask(ctx: &Ctx<Question>) -> mcp_runtime::Result<String> {
    let confirmed = ctx.elicit::<Confirm>("Sure?").strict().await?.confirmed;
    Ok(confirmed.to_string())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let server = Server::new("searcher", "1.2.3").settings::<AppSettings>();
    let server = server.state_from(|settings: &AppSettings| match settings.token.expose_secret().len() {
        0..3 => Err("the token is too short"),
        length => Ok(TokenLength(length)),
    });
    server.tools(tools![show, ask]).run().await
}
