//! `http`: serving clients over HTTP.

use std::process::ExitCode;

use clap::{Arg, Command};
use tokio::net::TcpListener;

use super::{refuse, terminal::tell};
use crate::server::Service;

/// Where clients are served unless the command line says otherwise.
pub(super) const ADDRESS: &str = "127.0.0.1:8080";

pub(super) fn command() -> Command {
    let addr =
        Arg::new("addr").long("addr").value_name("HOST:PORT").help(format!("Where to listen [default: {ADDRESS}]"));
    Command::new("http").about("Serve MCP clients over HTTP, at the path /mcp").arg(addr)
}

/// Serves until Ctrl-C, or until whoever started the program ends it.
pub(super) async fn serve(service: &Service, address: &str) -> ExitCode {
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => return refuse(format_args!("cannot listen at `{address}`: {error}")),
    };
    if let Ok(address) = listener.local_addr() {
        tell(format_args!("serving MCP clients at http://{address}/mcp"));
    }
    let told = async {
        tokio::select! {
            () = interrupted() => {}
            () = terminated() => {}
        }
    };
    service.serve_listener(listener, told).await;
    ExitCode::SUCCESS
}

async fn interrupted() {
    // Where it cannot be heard the program is ended otherwise.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// As service managers and containers do it.
#[cfg(unix)]
async fn terminated() {
    match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}
