//! `http`: serves clients over HTTP.

use std::{future::poll_fn, io, process::ExitCode, task::Poll, time::Duration};

use clap::{Arg, ArgAction, ArgMatches, Command};
use tokio::{net::TcpListener, time::timeout};

use crate::{
    edge::cli::{
        exit::{CommandEnd, refuse},
        terminal::tell,
    },
    serve::{
        http::{AllowedHosts, serve::PATH},
        server::Service,
    },
};

const ADDRESS: &str = "127.0.0.1:8080";
const ALLOW_HOST: &str = "allow-host";
const ALLOW_ORIGIN: &str = "allow-origin";

pub(crate) fn command() -> Command {
    let addr =
        Arg::new("addr").long("addr").value_name("HOST:PORT").help(format!("Where to listen [default: {ADDRESS}]"));
    let retire = Arg::new("retire")
        .long("retire")
        .value_name("SECONDS")
        .value_parser(seconds)
        .help("After SIGTERM or Ctrl-C, keep serving for SECONDS while /health/ready returns 503 [default: 0]");
    let path = Arg::new("path")
        .long("path")
        .value_name("PATH")
        .env("MCP_HTTP_PATH")
        .hide_env_values(true)
        .value_parser(endpoint_path)
        .help(format!("The path of the endpoint [default: {PATH}]"));
    let hosts = list(ALLOW_HOST, "HOST", "MCP_ALLOW_HOST")
        .help("Answer requests to this host, in place of the hosts that the program allows; several: repeat, or `A,B`");
    let origins = list(ALLOW_ORIGIN, "ORIGIN", "MCP_ALLOW_ORIGIN")
        .help("Answer requests of web pages of this origin, in place of those of the allowed hosts");
    let command = Command::new("http").about("Serve MCP clients over HTTP, at the path /mcp");
    command.args([addr, path, hosts, origins, retire])
}

/// An option whose values can also be a list in an environment variable.
fn list(name: &'static str, value_name: &'static str, variable: &'static str) -> Arg {
    let option = Arg::new(name).long(name).value_name(value_name).env(variable).hide_env_values(true);
    option.action(ArgAction::Append).value_delimiter(',')
}

/// Reads a path that a router can serve, beside the paths of the health checks.
fn endpoint_path(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_graphic() && !"?#{}%".contains(c);
    match text.trim() {
        "" => Ok(PATH.to_owned()),
        path if !path.starts_with('/') || !path.chars().all(is_plain) => {
            Err("not a path; write it like `/mcp` or `/api/mcp`".to_owned())
        }
        path if ["/health", "/health/ready"].contains(&path.trim_end_matches('/')) => {
            Err("the path of a health check; choose another path".to_owned())
        }
        path => Ok(path.to_owned()),
    }
}

/// Returns the hosts and origins that the operator allows. Returns `None` if the operator has set neither.
fn hosts_of_operator(service: &Service, matches: &ArgMatches) -> Option<AllowedHosts> {
    let values = |name| {
        let values = matches.get_many::<String>(name).into_iter().flatten().map(|value| value.trim());
        values.filter(|value| !value.is_empty()).collect::<Vec<_>>()
    };
    let (hosts, origins) = (values(ALLOW_HOST), values(ALLOW_ORIGIN));
    let allowed = match &hosts[..] {
        [] if origins.is_empty() => return None,
        [] => service.allowed_hosts(),
        hosts => AllowedHosts::new(hosts),
    };
    Some(if origins.is_empty() { allowed } else { allowed.only_origins(origins) })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "not a number of seconds; write it like `5` or `0.5`".to_owned())
}

/// Serves MCP clients over HTTP until Ctrl-C or a termination signal.
pub(crate) async fn serve(service: &Service, matches: &ArgMatches) -> CommandEnd {
    if let Some(hosts) = hosts_of_operator(service, matches) {
        if !hosts.problems().is_empty() {
            return Err(refuse(hosts.problems().join("\n")));
        }
        service.replace_allowed_hosts(hosts);
    }
    let path = matches.get_one("path").map_or(PATH, String::as_str);
    let address = matches.get_one("addr").map_or(ADDRESS, String::as_str);
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| refuse(format_args!("cannot listen at `{address}`: {error}")))?;
    // Listens before the address is printed, because a program that reads the address may send a signal at once.
    let mut signals = shutdown_signals().map_err(|error| refuse(format_args!("cannot listen for signals: {error}")))?;
    if let Ok(address) = listener.local_addr() {
        tell(format_args!("serving MCP clients at http://{address}{path}"));
    }
    let retire = matches.get_one("retire").copied().unwrap_or(Duration::ZERO);
    let retiring = service.clone();
    let shutdown = async move {
        let mut received = async || {
            poll_fn(|cx| match signals.iter_mut().any(|signal| signal.poll_recv(cx).is_ready()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            })
            .await;
        };
        received().await;
        retiring.retire();
        // A second signal skips the wait.
        let _ = timeout(retire, received()).await;
    };
    service.serve_listener_at(path, listener, shutdown).await;
    Ok(ExitCode::SUCCESS)
}

/// The signals that end the program. Users press Ctrl-C, and service managers and containers send SIGTERM.
#[cfg(unix)]
fn shutdown_signals() -> io::Result<[tokio::signal::unix::Signal; 2]> {
    use tokio::signal::unix::{SignalKind, signal};
    Ok([signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?])
}

#[cfg(windows)]
fn shutdown_signals() -> io::Result<[tokio::signal::windows::CtrlC; 1]> {
    Ok([tokio::signal::windows::ctrl_c()?])
}
