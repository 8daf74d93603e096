//! The server that is tried: processes of the program, or a server behind a URL.

use std::{future::Future, pin::Pin, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{broadcast, watch};

use crate::serve::remote::transport::Transport;

/// A server that the page can try.
pub(crate) trait DevTarget: Send + Sync + 'static {
    /// Opens a connection for this client. Waits while the program is built.
    ///
    /// # Errors
    /// Returns the reason why the server cannot be reached.
    fn connect<'a>(&'a self, client: &'a ClientSetup) -> TargetFuture<'a, OpenedConnection>;

    /// Returns what can be done with this server.
    fn abilities(&self) -> TargetAbilities;

    /// Returns the build and the processes, and their changes.
    fn status(&self) -> watch::Receiver<TargetStatus>;

    /// Returns what the processes report from now on.
    fn reports(&self) -> broadcast::Receiver<ProcessReport>;

    /// Kills the processes of this instance without a warning. They are started again at the next connection.
    fn kill(&self, instance: ServerInstance) -> TargetFuture<'_, ()>;

    /// Ends all processes, and starts them again with the same store.
    fn restart(&self) -> TargetFuture<'_, ()>;

    /// Moves the clock of the server forward. Its processes are started again.
    fn advance_clock(&self, by: Duration) -> TargetFuture<'_, ()>;

    /// Runs the command `check --json` of the program. Returns its report.
    fn check(&self) -> TargetFuture<'_, Value>;

    /// Returns the URL at which this instance serves now, if it does.
    fn url(&self, instance: ServerInstance) -> Option<String>;

    /// Returns what opens the states of calls and reads their records. `None` if only the server can.
    fn store(&self) -> Option<DevStore>;
}

/// A program whose newest process serves over HTTP, to which the requests of hosts are forwarded.
pub(crate) trait HttpProgram: Send + Sync + 'static {
    /// Returns the URL of the newest process. Waits at most for `patience` while the program is built and its process
    /// starts. If this takes longer, returns the URL of the process that still runs.
    ///
    /// # Errors
    /// Returns the reason why there is no process, such as the error of the compiler.
    fn newest_url(&self, patience: Duration) -> TargetFuture<'_, String>;
}

/// A future of a [`DevTarget`]. Its error says what to do.
pub(crate) type TargetFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, String>> + Send + 'a>>;

/// An open connection, and the process at its other end.
pub(crate) struct OpenedConnection {
    pub(crate) transport: Box<dyn Transport>,
    /// The id of the process, if it is a child of this one. Its [reports](ProcessReport) have the same id.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test tells processes apart"))]
    pub(crate) process: Option<u32>,
}

/// What can be done with a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TargetAbilities {
    /// Whether the server runs in child processes, which can be killed and have a clock.
    pub(crate) processes: bool,
    pub(crate) stdio: bool,
    pub(crate) http: bool,
    /// Whether a client can say who it is.
    pub(crate) principals: bool,
}

/// The client that the page is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClientSetup {
    pub(crate) revision: String,
    pub(crate) transport: TransportKind,
    #[serde(default)]
    pub(crate) capabilities: SetupCapabilities,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) principal: Option<SetupPrincipal>,
    #[serde(default)]
    pub(crate) other_instance: bool,
}

impl ClientSetup {
    /// Returns the instance of the server that the client uses.
    pub(crate) fn instance(&self) -> ServerInstance {
        if self.other_instance { ServerInstance::Second } else { ServerInstance::First }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TransportKind {
    Stdio,
    Http,
}

/// What the client declares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SetupCapabilities {
    pub(crate) elicitation: bool,
    pub(crate) sampling: bool,
    pub(crate) roots: bool,
    pub(crate) views: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct SetupPrincipal {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) scopes: Vec<String>,
}

/// One of two processes that share a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ServerInstance {
    #[default]
    First,
    Second,
}

/// The build and the processes, as the page shows them: `Build` and `ServerStatus` of `dev-api.d.ts`.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct TargetStatus {
    pub(crate) build: Build,
    pub(crate) server: ServerStatus,
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Build {
    pub(crate) status: BuildStatus,
    pub(crate) number: u32,
    /// Milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) started_at: Option<u64>,
    /// Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) took: Option<u64>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BuildStatus {
    /// Nothing is built, because the server is not built from sources.
    #[default]
    None,
    Building,
    Built,
    Failed,
}

/// A message of the compiler, or of Cargo.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Diagnostic {
    /// `error`, `warning` or `note`.
    pub(crate) level: &'static str,
    pub(crate) message: String,
    /// As the compiler prints it, without colours.
    pub(crate) rendered: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ServerStatus {
    pub(crate) status: ProcessStatus,
    /// How often a process that serves over HTTP was started. Those of connections over stdio are not counted.
    pub(crate) starts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// Milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_at: Option<u64>,
    /// The last lines of standard error.
    pub(crate) output: Vec<String>,
    /// By how many seconds the clock of the server is ahead.
    pub(crate) clock: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProcessStatus {
    #[default]
    Stopped,
    Starting,
    Running,
    Crashed,
}

/// What a process reports about itself.
#[derive(Clone, Debug)]
pub(crate) struct ProcessReport {
    /// The id of the process.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test tells processes apart"))]
    pub(crate) process: u32,
    pub(crate) instance: ServerInstance,
    pub(crate) what: Reported,
}

/// The line of a process. `request` is the id of a JSON-RPC request, as JSON text: the client of the page gives each of
/// its requests another id, so it also names the call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Reported {
    /// The process has the feature `dev`. Its first report.
    Started {
        /// The version of the runtime.
        version: String,
    },
    /// A phase or a step has begun to run.
    Ran {
        request: Option<String>,
        name: String,
    },
    Span {
        request: Option<String>,
        name: String,
        took: f64,
        fields: Vec<(String, String)>,
    },
    Metric {
        request: Option<String>,
        name: String,
        value: f64,
        labels: Vec<(String, String)>,
    },
    /// A line of standard error that is not a report.
    #[serde(skip)]
    Output {
        line: String,
    },
}

/// What opens states and reads records.
#[derive(Clone)]
pub(crate) struct DevStore {
    pub(crate) keys: crate::engine::store::KeyRing,
    pub(crate) store: crate::engine::store::SqliteStore,
}
