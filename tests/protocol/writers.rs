//! Tools that send a lot at once, and tools that print to standard output.

use std::{process::Command, time::Duration};

use mcp_runtime::{Result, Server, prelude::*};

use super::tools::{Gate, echo, report, slow};

/// Creates a server with these tools. After the client has closed its end, calls may continue for half a second.
pub(crate) fn server() -> Server {
    Server::new("output", "1.0.0")
        .state(Gate::default())
        .shutdown_grace(Duration::from_millis(500))
        .tools(tools![flood, hurry, print, print_in_dependency, print_in_child, echo, report])
        .tools(tools![slow::hold, slow::nap])
}

/// Writes so many log messages of 1 KB, and progress between them.
#[mcp_tool]
async fn flood(ctx: &Ctx, messages: u32) -> Text<u32> {
    let text = "x".repeat(1000);
    for number in 0..messages {
        ctx.log(Level::Error, &text);
        ctx.progress(number.into());
        if number % 100 == 0 {
            tokio::task::yield_now().await;
        }
    }
    // For a client that does not read standard output.
    eprintln!("flooded");
    Text(messages)
}

/// Reports and is done at once.
#[mcp_tool]
async fn hurry(ctx: &Ctx) {
    ctx.progress(1.0);
}

/// Prints a line.
#[mcp_tool]
#[expect(clippy::print_stdout, reason = "what authors should not do is tested")]
async fn print(text: String) {
    println!("{text}");
    print!("and half a line");
}

/// Has a library print a line.
#[mcp_tool]
async fn print_in_dependency(text: String) {
    // Without a writer it writes to standard output.
    let subscriber = tracing_subscriber::fmt().without_time().finish();
    tracing::subscriber::with_default(subscriber, || tracing::warn!("{text}"));
}

/// Has a child process print a line.
#[mcp_tool]
async fn print_in_child(text: String) -> Result<()> {
    let status = Command::new("echo").arg(text).status()?;
    if status.success() { Ok(()) } else { Err(format!("`echo` failed: {status}").into()) }
}
