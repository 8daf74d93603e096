//! The server that is abused. `abused` serves on stdio. `abused ADDRESS` serves over HTTP until standard input ends.
//!
//! One thread runs all calls, so a client that blocks this thread delays all others.

#[path = "../../../src/tools/asking.rs"]
mod asking;
#[path = "../../../src/tools/names.rs"]
mod names;
#[path = "../../../src/tools/ours.rs"]
mod simple;
#[path = "../../../http/src/until_told.rs"]
mod until_told;

use mcp_runtime::{Level, Server, prelude::*};

use self::{
    asking::{HandOver, confirm},
    simple::{echo, find_tools},
};

/// Write log messages of 1 KB each.
#[mcp_tool]
async fn write_log(ctx: &Ctx, messages: u32) {
    let text = "x".repeat(1000);
    for number in 0..messages {
        ctx.log(Level::Info, &text);
        if number % 100 == 0 {
            tokio::task::yield_now().await;
        }
    }
    // The client does not read standard output: this tells it that the tool is done.
    eprintln!("written");
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server =
        Server::new("abused", "0.1.0").tools(tools![echo, write_log, confirm]).tool(HandOver).tools(find_tools());
    match std::env::args().nth(1) {
        None => server.serve_stdio().await?,
        Some(address) => server.build()?.serve_http(address, until_told::until_told()).await?,
    }
    Ok(())
}
