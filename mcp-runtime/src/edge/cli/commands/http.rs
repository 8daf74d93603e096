//! `http`: serves clients over HTTP.

use std::{future::poll_fn, io, process::ExitCode, task::Poll};

use clap::Command;
use tokio::{net::TcpListener, time::timeout};

use crate::{
    edge::{
        cli::{
            exit::{CommandEnd, refuse},
            operator::{EndpointPath, OperatorSettings, Seconds},
            setting_options::option,
            terminal::tell,
        },
        own_program::SERVING,
    },
    serve::{http::AllowedHosts, server::Service, settings::Settings as _},
};

/// The placeholders of the values of the options, by the names of their settings.
const PLACEHOLDERS: [(&str, &str); 5] = [
    ("http_addr", "HOST:PORT"),
    ("http_path", "PATH"),
    ("allow_host", "HOST"),
    ("allow_origin", "ORIGIN"),
    ("http_retire", "SECONDS"),
];

pub(crate) fn command() -> Command {
    let options = OperatorSettings::definitions().iter().filter_map(|setting| {
        let (_, placeholder) = PLACEHOLDERS.iter().find(|(name, _)| *name == setting.name())?;
        option(setting).map(|option| option.value_name(*placeholder))
    });
    Command::new("http").about("Serve MCP clients over HTTP, at the path /mcp").args(options)
}

/// Returns the hosts and origins that the operator allows. Returns `None` if the operator has set neither.
fn hosts_of_operator(service: &Service, operator: &OperatorSettings) -> Option<AllowedHosts> {
    let (hosts, origins) = (&operator.allow_host, &operator.allow_origin);
    let allowed = match &hosts[..] {
        [] if origins.is_empty() => return None,
        [] => service.allowed_hosts(),
        hosts => AllowedHosts::new(hosts),
    };
    Some(if origins.is_empty() { allowed } else { allowed.only_origins(origins) })
}

/// Serves MCP clients over HTTP until Ctrl-C or a termination signal.
pub(crate) async fn serve(service: &Service, operator: &OperatorSettings) -> CommandEnd {
    if let Some(hosts) = hosts_of_operator(service, operator) {
        if !hosts.problems().is_empty() {
            return Err(refuse(hosts.problems().join("\n")));
        }
        service.replace_allowed_hosts(hosts);
    }
    let OperatorSettings { http_addr: address, http_path: EndpointPath(path), http_retire: Seconds(retire), .. } =
        operator;
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| refuse(format_args!("cannot listen at `{address}`: {error}")))?;
    // Listens before the address is printed, because a program that reads the address may send a signal at once.
    let signals = ShutdownSignals::listen();
    let mut signals = signals.map_err(|error| refuse(format_args!("cannot listen for signals: {error}")))?;
    if let Ok(address) = listener.local_addr() {
        tell(format_args!("{SERVING}http://{address}{path}"));
    }
    let (retire, retiring) = (*retire, service.clone());
    let shutdown = async move {
        #[cfg(not(feature = "dev"))]
        signals.received().await;
        #[cfg(feature = "dev")]
        tokio::select! {
            () = signals.received() => {}
            () = crate::edge::dev::reported::parent_ends() => {}
        }
        retiring.retire();
        // A second signal skips the wait.
        let _ = timeout(retire, signals.received()).await;
    };
    service.serve_listener_at(path, listener, shutdown).await;
    Ok(ExitCode::SUCCESS)
}

/// The signals that end the program. Users press Ctrl-C, and service managers and containers send SIGTERM.
pub(crate) struct ShutdownSignals {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
    #[cfg(windows)]
    signals: [tokio::signal::windows::CtrlC; 1],
}

impl ShutdownSignals {
    /// Listens for the signals from now on.
    pub(crate) fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        let signals = {
            use tokio::signal::unix::{SignalKind, signal};
            [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]
        };
        #[cfg(windows)]
        let signals = [tokio::signal::windows::ctrl_c()?];
        Ok(Self { signals })
    }

    /// Waits for the next signal.
    pub(crate) async fn received(&mut self) {
        poll_fn(|cx| match self.signals.iter_mut().any(|signal| signal.poll_recv(cx).is_ready()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
}
