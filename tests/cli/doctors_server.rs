//! A server's program for the command `doctor`. It writes the name of each called tool to the file of `DOCTOR_CALLS`. With
//! `DOCTOR_PRINTS` it writes what is no message, and with `DOCTOR_TOKENS` it requires tokens.

use std::{fs::OpenOptions, io::Write as _, process::ExitCode};

use mcp_runtime::{
    auth::{Authorization, BearerToken, TokenError, TokenFuture, TokenVerifier},
    prelude::*,
    settings::Secret,
};

#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// How to greet a visitor.
    #[setting(default = "Hello")]
    greeting: String,
    /// Token of the museum.
    token: Secret<String>,
}

fn note(tool: &str) {
    if let Ok(path) = std::env::var("DOCTOR_CALLS") {
        let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        writeln!(file, "{tool}").unwrap();
    }
}

/// Count the paintings in the museum.
#[mcp_tool(read_only)]
async fn count(settings: &AppSettings) -> String {
    note("count");
    format!("{} {}", settings.greeting, settings.token.expose_secret().len())
}

/// Find a painting in the museum.
#[mcp_tool(read_only)]
async fn find(
    /// A part of its title.
    title: String,
) -> String {
    note("find");
    title
}

/// Burn all the paintings.
#[mcp_tool(destructive)]
async fn burn() {
    note("burn");
}

/// Read the guest book of the museum.
#[mcp_tool(read_only)]
async fn guests() -> mcp_runtime::Result<String> {
    note("guests");
    Err("the guest book is lost".into())
}

#[elicits]
enum Visit {
    /// When to come.
    When {
        /// The day.
        day: String,
    },
}

/// Plan a visit to the museum.
#[mcp_tool(read_only)]
async fn plan(ctx: &Ctx<Visit>) -> mcp_runtime::Result<String> {
    note("plan");
    Ok(ctx.elicit::<When>("Which day?").strict().await?.day)
}

/// Accepts no token.
struct Closed;

impl TokenVerifier for Closed {
    fn verify<'a>(&'a self, _: BearerToken<'a>) -> TokenFuture<'a> {
        Box::pin(async { Err(TokenError::invalid("the museum is closed")) })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    #[allow(clippy::print_stdout, reason = "this is the mistake that is to be found")]
    if std::env::var_os("DOCTOR_PRINTS").is_some() && std::env::args().any(|argument| argument == "stdio") {
        println!("ready");
    }
    let mut server = Server::new("museum", "1.2.3").settings::<AppSettings>();
    if std::env::var_os("DOCTOR_TOKENS").is_some() {
        server = server.authorization_from(|settings: &AppSettings| {
            // The command gets no values, and its child has them.
            settings.token.expose_secret().chars().next().ok_or("the token is empty")?;
            let authorization = Authorization::new("https://museum.example/mcp", Closed);
            Ok::<_, &str>(authorization.authorization_servers(["https://login.example"]))
        });
    }
    server.tools(tools![count, find, burn, guests, plan]).run().await
}
