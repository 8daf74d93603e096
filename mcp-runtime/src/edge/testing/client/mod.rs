//! The scripted client.

mod call_driver;
mod requests;
pub(crate) mod scripted;
mod subscribing;
#[cfg(feature = "http")]
mod url;

use std::{fmt, process::Command, sync::Arc, time::Duration};

use serde_json::{Value, json};

use super::{
    compare::mode_comparison::Trial,
    connection::{ClientConnection, ClientSettings, fault::Fault, target::Target},
    observed::transcript::Transcript,
};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{Principal, operation::Operation, run_counter::RunCounts},
        tool::registered::RegisteredTool,
    },
    serve::{
        client::{ClientAbilities, ClientProfile, ClientRequest},
        server::Service,
    },
    wire::protocol::{level::Level, revision::Revision},
};

/// A client that follows a script. Its server is a [`Service`] in memory, a child process ([`process`](Self::process)),
/// or a URL (`url`, with the feature `http`).
///
/// If the server runs in the test's own process, the client checks the structured content of each result against the
/// output schema of the tool. A call whose result violates the schema panics.
///
/// The client declares every capability that a script can use, and requests all log messages and progress. If the
/// revision has a handshake, the client performs it before its first call. A client can make any number of requests,
/// one after another, in one session. To test concurrent calls, create several clients of one service.
pub struct Client {
    pub(crate) server: Arc<dyn Target>,
    pub(crate) settings: ClientSettings,
    pub(crate) connection: Option<ClientConnection>,
    /// A second server instance. It receives the requests of every second round.
    pub(crate) elsewhere: Option<Arc<dyn Target>>,
    /// Compares the calls of this client with the same calls in other modes. `None` if the test does not use modes.
    pub(crate) trial: Option<Trial>,
}

impl Client {
    /// Creates a client of this revision.
    pub fn new(service: &Service, revision: Revision) -> Self {
        Self::of(Arc::new(service.clone()), revision)
    }

    pub(crate) fn of(server: Arc<dyn Target>, revision: Revision) -> Self {
        let settings = ClientSettings {
            profile: ClientProfile {
                revision,
                capabilities: all_capabilities(revision),
                info: json!({ "name": "scripted", "version": "1" }),
                log_level: Some(Level::Debug),
            },
            limit: Duration::from_secs(10),
            trouble: None,
            principal: None,
        };
        Self { server, settings, connection: None, elsewhere: None, trial: None }
    }

    /// Creates a client of the newest revision, which has no session.
    pub fn modern(service: &Service) -> Self {
        Self::new(service, Revision::LATEST)
    }

    /// Creates a client of a revision with a handshake.
    ///
    /// # Panics
    /// Panics if the revision has no handshake.
    #[track_caller]
    pub fn legacy(service: &Service, revision: Revision) -> Self {
        assert!(!revision.is_modern(), "{revision} has no handshake; write `Client::modern`");
        Self::new(service, revision)
    }

    /// Creates a client of the newest revision for a server in a child process. The client and the process communicate
    /// over the standard input and output of the process.
    ///
    /// The process is started for the first call, and killed when the client is dropped. If the test panics because a
    /// script does not match the call, the panic shows the standard error of the process. The process has its own
    /// clock, so do not pause tokio's clock.
    ///
    /// ```no_run
    /// # async fn example() {
    /// use std::process::Command;
    ///
    /// use mcp_runtime::{Revision, testing::Client};
    /// use serde_json::json;
    ///
    /// # let path = "target/debug/flights";
    /// let mut server = Command::new(path); // in a test of the program's package: `env!("CARGO_BIN_EXE_flights")`
    /// server.arg("stdio").env("DATABASE_URL", "sqlite::memory:");
    /// let mut client = Client::process(server).revision(Revision::V2025_11_25);
    /// let found = client.call("search_flights", json!({ "destination": "LIS" })).await;
    /// assert!(!found.is_error());
    /// # }
    /// ```
    ///
    /// Before 2026-07-28 the protocol does not transmit the key of a question. In these revisions, [`Question::key`] is
    /// the id of the question's request, and [`reply_to`](super::ScriptedCall::reply_to) finds no question.
    /// [`assert_replay_safe`](super::ScriptedCall::assert_replay_safe) and [`principal`](Self::principal) panic, because
    /// both need the server in the test's own process. [`Fault::Restarts`] kills the process and starts it again.
    ///
    /// [`Question::key`]: super::Question::key
    pub fn process(command: Command) -> Self {
        Self::of(Arc::new(Mutex::new(tokio::process::Command::from(command))), Revision::LATEST)
    }

    /// Sets the revision, and resets the capabilities to the default for that revision.
    pub fn revision(self, revision: Revision) -> Self {
        self.with(|settings| {
            settings.profile.revision = revision;
            settings.profile.capabilities = all_capabilities(revision);
        })
    }

    /// Sets the declared capabilities, for example `json!({ "elicitation": {} })`. Default: all that a script can use.
    pub fn capabilities(self, capabilities: Value) -> Self {
        self.with(|settings| settings.profile.capabilities = capabilities)
    }

    /// Removes the sampling capability. If the server has a provider, the provider answers instead, and the script does
    /// not see the questions.
    pub fn without_sampling(self) -> Self {
        self.with(|settings| remove(&mut settings.profile.capabilities, "sampling"))
    }

    /// Removes the member `tools` from the sampling capability, so that the server describes tools to the model in
    /// text.
    pub fn without_sampling_tools(self) -> Self {
        self.with(|settings| remove(&mut settings.profile.capabilities["sampling"], "tools"))
    }

    /// Sets the client's name and version.
    pub fn info(self, name: &str, version: &str) -> Self {
        self.with(|settings| settings.profile.info = json!({ "name": name, "version": version }))
    }

    /// Sets the lowest level of log messages that the client requests. By default, it requests all levels. If `level`
    /// is `None`, a session gets the server's default level, and a request since 2026-07-28 gets no log messages.
    pub fn log_level(self, level: impl Into<Option<Level>>) -> Self {
        self.with(|settings| settings.profile.log_level = level.into())
    }

    /// Limits how long a call may take, in real time. Default: 10 seconds. If tokio's clock is paused, the call is also
    /// limited to one day of that clock.
    pub fn limit(self, limit: Duration) -> Self {
        self.with(|settings| settings.limit = limit)
    }

    /// Sets the fault between the rounds of a call. By default, there is no fault.
    pub fn fault(self, trouble: Fault) -> Self {
        self.with(|settings| settings.trouble = Some(trouble))
    }

    /// Makes the server drop the futures of its calls before every round after the first, as a restart would. The
    /// server then replays each call from its journal. Only calls of handoffs and `replayable` tools can be replayed.
    pub fn rebuilding(self) -> Self {
        self.fault(Fault::Restarts)
    }

    /// Sends every second round to the instance `other`, which must have the same keys and the same ledger.
    #[cfg(feature = "seal")]
    pub fn taking_turns_with(mut self, other: &Service) -> Self {
        self.elsewhere = Some(Arc::new(other.clone()));
        self
    }

    /// Sets the client's principal. It is a name that identifies the caller to the application, or a [`Principal`] with
    /// scopes. Scopes limit the tools that the client can call. Default: no identity, and all scopes.
    ///
    /// # Panics
    /// Panics if the server runs in another process. Such a server identifies its clients itself, for example by the
    /// header `Authorization`.
    #[track_caller]
    pub fn principal(self, principal: impl Into<Principal>) -> Self {
        assert!(
            self.server.service().is_some(),
            "`principal` needs a server in the test's own process; send credentials to this server instead, such as \
             a header with `Client::header`"
        );
        let principal = principal.into();
        self.with(|settings| settings.principal = Some(principal))
    }

    /// Returns every message since the connection was opened, including the handshake. Dropping an unfinished call
    /// closes the connection, and the next call opens a new connection.
    pub fn transcript(&self) -> Transcript {
        self.connection.as_ref().map(|connection| connection.transcript.clone()).unwrap_or_default()
    }

    /// Returns how often each phase and step ran on the server's instances, and resets these counts.
    pub(crate) fn take_runs(&self) -> RunCounts {
        let mut runs = RunCounts::default();
        for service in [&self.server].into_iter().chain(&self.elsewhere).filter_map(|server| server.service()) {
            runs.add(service.0.runs.take());
        }
        runs
    }

    /// Whether a request for this target can be replayed.
    pub(crate) fn is_replayable(&self, target: &ClientRequest) -> bool {
        self.registered(target).is_some_and(|item| item.definition.replayable)
    }

    /// Returns the tool, prompt or resource. Returns `None` if the server has no such item or runs in another process.
    pub(crate) fn registered(&self, target: &ClientRequest) -> Option<Arc<RegisteredTool>> {
        let server = &self.server.service()?.0;
        let (operation, name) = target.registered();
        match operation {
            Operation::CallTool => {
                let tool = server.registry.find(name)?;
                let forwarded = server.forwarded(&tool, &target.arguments()).map(|(tool, _)| tool);
                forwarded.or(Some(tool))
            }
            Operation::ReadResource => server.find_resource(name),
            operation => server.registry.find_other(operation, name),
        }
    }

    /// Changes the settings and closes the connection. The next call opens a connection with the new settings.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut ClientSettings)) -> Self {
        change(&mut self.settings);
        self.connection = None;
        self
    }
}

/// Returns all capabilities that a script can use, as a client of this revision declares them.
fn all_capabilities(revision: Revision) -> Value {
    ClientAbilities { elicitation: true, sampling: true, roots: true, views: false }.declared(revision)
}

fn remove(from: &mut Value, name: &str) {
    if let Some(members) = from.as_object_mut() {
        members.remove(name);
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("server", &self.server).field("settings", &self.settings).finish_non_exhaustive()
    }
}
