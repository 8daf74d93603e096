//! `http`: serves clients over HTTP.

use std::{io, process::ExitCode, time::Duration};

use clap::{Arg, ArgMatches, Command};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::{net::TcpListener, time::sleep};

use super::{refuse, terminal::tell};
use crate::server::Service;

const ADDRESS: &str = "127.0.0.1:8080";

pub(super) fn command() -> Command {
    let addr =
        Arg::new("addr").long("addr").value_name("HOST:PORT").help(format!("Where to listen [default: {ADDRESS}]"));
    let retire = Arg::new("retire")
        .long("retire")
        .value_name("SECONDS")
        .value_parser(seconds)
        .help("After SIGTERM or Ctrl-C, keep serving for SECONDS while /health/ready returns 503 [default: 0]");
    Command::new("http").about("Serve MCP clients over HTTP, at the path /mcp").arg(addr).arg(retire)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "not a number of seconds; write it like `5` or `0.5`".to_owned())
}

/// Serves MCP clients over HTTP until Ctrl-C or a termination signal.
pub(super) async fn serve(service: &Service, matches: &ArgMatches) -> ExitCode {
    let address = matches.get_one("addr").map_or(ADDRESS, String::as_str);
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => return refuse(format_args!("cannot listen at `{address}`: {error}")),
    };
    // Listens before the address is printed, because a program that reads the address may send a signal at once.
    let mut end = match ShutdownSignal::listen() {
        Ok(end) => end,
        Err(error) => return refuse(format_args!("cannot listen for signals: {error}")),
    };
    if let Ok(address) = listener.local_addr() {
        tell(format_args!("serving MCP clients at http://{address}/mcp"));
    }
    let retire = matches.get_one("retire").copied().unwrap_or(Duration::ZERO);
    let retiring = service.clone();
    let shutdown = async move {
        end.received().await;
        retiring.retire();
        // A second signal skips the wait.
        tokio::select! {
            () = sleep(retire) => {}
            () = end.received() => {}
        }
    };
    service.serve_listener(listener, shutdown).await;
    ExitCode::SUCCESS
}

/// The signals that end the program. Users press Ctrl-C, and service managers and containers send SIGTERM.
#[cfg(unix)]
struct ShutdownSignal {
    interrupted: Signal,
    terminated: Signal,
}

#[cfg(unix)]
impl ShutdownSignal {
    fn listen() -> io::Result<Self> {
        Ok(Self { interrupted: signal(SignalKind::interrupt())?, terminated: signal(SignalKind::terminate())? })
    }

    async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupted.recv() => {}
            _ = self.terminated.recv() => {}
        }
    }
}

#[cfg(windows)]
struct ShutdownSignal(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl ShutdownSignal {
    fn listen() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn received(&mut self) {
        self.0.recv().await;
    }
}
