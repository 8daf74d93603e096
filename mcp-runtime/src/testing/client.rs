//! The scripted client.

use std::{fmt, panic::Location, process::Command, sync::Arc, time::Duration};

#[cfg(feature = "http")]
use http::{HeaderName, HeaderValue};

use serde::Serialize;
use serde_json::{Value, json};

#[cfg(feature = "http")]
use super::transport::Endpoint;
use super::{
    call_driver,
    connection::Connection,
    fault::Trouble,
    mode_comparison::Trial,
    scripted::{ScriptedCall, ToolCall},
    transcript::Transcript,
    transport::Target,
};
use crate::{
    call::{Principal, runs::Runs},
    mutex::Mutex,
    protocol::{capability::Capabilities, level::Level, revision::Revision},
    server::{Service, registry::Registered},
};

/// A client whose user follows a script: of a [`Service`] in memory, of a child process ([`process`](Self::process)), or
/// of a URL (`url`, with the feature `http`).
///
/// It can do whatever a script can answer, wants every log message and all progress, and shakes hands, where its
/// revision has that, before its first call. It may call any number of tools, one after another, in one session; a
/// test of calls that run together takes several clients of one service.
pub struct Client {
    pub(super) server: Target,
    pub(super) settings: Settings,
    pub(super) connection: Option<Connection>,
    /// Another instance, which takes every other round.
    pub(super) elsewhere: Option<Target>,
    /// Where its calls are compared with those of other modes.
    pub(super) trial: Option<Trial>,
}

/// What a client says of itself and wants.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) revision: Revision,
    pub(super) capabilities: Value,
    pub(super) info: Value,
    pub(super) log_level: Option<Level>,
    pub(super) limit: Duration,
    pub(super) trouble: Option<Trouble>,
    pub(super) principal: Option<Principal>,
}

impl Client {
    /// A client that speaks this revision.
    pub fn new(service: &Service, revision: Revision) -> Self {
        Self::of(Target::Service(service.clone()), revision)
    }

    fn of(server: Target, revision: Revision) -> Self {
        let settings = Settings {
            revision,
            capabilities: all_capabilities(revision),
            info: json!({ "name": "scripted", "version": "1" }),
            log_level: Some(Level::Debug),
            limit: Duration::from_secs(10),
            trouble: None,
            principal: None,
        };
        Self { server, settings, connection: None, elsewhere: None, trial: None }
    }

    /// A client of the newest revision, whose requests stand alone.
    pub fn modern(service: &Service) -> Self {
        Self::new(service, Revision::LATEST)
    }

    /// A client of a revision that opens with a handshake.
    ///
    /// # Panics
    /// The revision has no handshake.
    #[track_caller]
    pub fn legacy(service: &Service, revision: Revision) -> Self {
        assert!(!revision.is_modern(), "{revision} has no handshake; write `Client::modern`");
        Self::new(service, revision)
    }

    /// A client of the newest revision, of a server that this command starts: it speaks over the standard input and
    /// output of the process.
    ///
    /// The process is started for the first call, and killed when the client is dropped. What it writes to its standard
    /// error stands in the text of the panic if a script does not fit. The kit must not run with tokio's clock paused
    /// then: a process has a clock of its own.
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
    /// Before 2026-07-28 the messages of the protocol do not say the key of a question. Then [`Question::key`] is the id
    /// of its request, and [`reply_to`](ScriptedCall::reply_to) finds no question. What needs the server in the test's
    /// own process cannot be used: [`assert_replay_safe`](ScriptedCall::assert_replay_safe) and
    /// [`principal`](Self::principal). For [`Trouble::Restarts`] the process is killed and started again.
    ///
    /// [`Question::key`]: super::Question::key
    pub fn process(command: Command) -> Self {
        Self::of(Target::Process(Arc::new(Mutex::new(command))), Revision::LATEST)
    }

    /// A client of the newest revision, of the server behind a URL of streamable HTTP. `https` is not supported.
    ///
    /// What is said of [`process`](Self::process) about keys of questions, and of what needs the server in the test's own
    /// process, is true here as well.
    ///
    /// ```
    /// # tokio_test(async {
    /// use mcp_runtime::{Revision, prelude::*, testing::Client};
    /// use serde_json::json;
    /// use tokio::net::TcpListener;
    ///
    /// /// Greets somebody.
    /// #[mcp_tool(read_only)]
    /// async fn greet(name: String) -> String {
    ///     format!("Hello, {name}!")
    /// }
    ///
    /// let service = Server::new("greeter", "1.0.0").tools(tools![greet]).build().unwrap();
    /// let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    /// let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    /// tokio::spawn(async move { service.serve_listener(listener, std::future::pending::<()>()).await });
    ///
    /// for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
    ///     let mut client = Client::url(&url).revision(revision).header("authorization", "Bearer secret");
    ///     assert_eq!(client.call("greet", json!({ "name": "Ann" })).await.text(), "Hello, Ann!");
    /// }
    /// # });
    /// # fn tokio_test(test: impl Future) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    /// # }
    /// ```
    ///
    /// # Panics
    /// `url` is not an `http` URL.
    #[cfg(feature = "http")]
    #[track_caller]
    pub fn url(url: &str) -> Self {
        match Endpoint::parse(url) {
            Ok(endpoint) => Self::of(Target::Url(Arc::new(endpoint)), Revision::LATEST),
            Err(problem) => panic!("{problem}"),
        }
    }

    /// Sends this header with every request to the server behind a URL, such as `authorization`.
    ///
    /// # Panics
    /// The client is not one of a [`url`](Self::url), or this is not a header.
    #[cfg(feature = "http")]
    #[track_caller]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let Target::Url(endpoint) = &mut self.server else {
            panic!("only a client of a URL sends headers; write `Client::url`")
        };
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            (Ok(name), Ok(value)) => drop(Arc::make_mut(endpoint).headers.insert(name, value)),
            _ => panic!("`{name}: {value}` is not a header"),
        }
        self.with(|_| {})
    }

    /// Speaks another revision, and can do what a client of that revision can.
    pub fn revision(self, revision: Revision) -> Self {
        self.with(|settings| {
            settings.revision = revision;
            settings.capabilities = all_capabilities(revision);
        })
    }

    /// What the client can do, instead of everything a script can answer: `json!({ "elicitation": {} })`.
    pub fn capabilities(self, capabilities: Value) -> Self {
        self.with(|settings| settings.capabilities = capabilities)
    }

    /// The client cannot sample. Where a provider of the server answers instead, none of it reaches the script.
    pub fn without_sampling(self) -> Self {
        self.with(|settings| remove(&mut settings.capabilities, "sampling"))
    }

    /// The client samples, but its model calls no tools: they are described to it in words.
    pub fn without_sampling_tools(self) -> Self {
        self.with(|settings| remove(&mut settings.capabilities["sampling"], "tools"))
    }

    /// What the client calls itself.
    pub fn info(self, name: &str, version: &str) -> Self {
        self.with(|settings| settings.info = json!({ "name": name, "version": version }))
    }

    /// The least severe log messages the client wants. Default: all. With `None` it does not say: then a session gets
    /// what the server thinks fit, and a request since 2026-07-28 nothing.
    pub fn log_level(self, level: impl Into<Option<Level>>) -> Self {
        self.with(|settings| settings.log_level = level.into())
    }

    /// How long a call may take, in real time. Default: 10 seconds. Where tokio's clock is paused, a day of it counts
    /// as much.
    pub fn limit(self, limit: Duration) -> Self {
        self.with(|settings| settings.limit = limit)
    }

    /// What happens between the rounds of a call, if it has several. Default: nothing.
    pub fn trouble(self, trouble: Trouble) -> Self {
        self.with(|settings| settings.trouble = Some(trouble))
    }

    /// Has the server forget the futures of its calls before every later round, as a restart would: each is rebuilt
    /// from its journal. Only calls of handoffs and `replayable` tools can be.
    pub fn rebuilding(self) -> Self {
        self.trouble(Trouble::Restarts)
    }

    /// Every other round goes to this instance, which must have the same keys and the same ledger.
    #[cfg(feature = "seal")]
    pub fn taking_turns_with(mut self, other: &Service) -> Self {
        self.elsewhere = Some(Target::Service(other.clone()));
        self
    }

    /// Who is behind the client: a name by which the application knows them, or a [`Principal`] with what it was granted,
    /// and then it calls only tools whose scopes it has. Default: nobody is told apart, and everything is granted.
    pub fn principal(self, principal: impl Into<Principal>) -> Self {
        let principal = principal.into();
        self.with(|settings| settings.principal = Some(principal))
    }

    /// Calls a tool. `arguments` becomes a JSON object: `json!({ "to": "LIS" })`, a struct, or `()` for none.
    ///
    /// # Panics
    /// `arguments` is nothing of these.
    #[track_caller]
    pub fn call(&mut self, tool: &str, arguments: impl Serialize) -> ScriptedCall<'_> {
        let arguments = match serde_json::to_value(arguments) {
            Ok(Value::Object(arguments)) => Some(arguments),
            Ok(Value::Null) => None,
            Ok(other) => panic!("the arguments of a call are an object, not {other}"),
            Err(error) => panic!("the arguments of the call cannot be written as JSON: {error}"),
        };
        let (name, at) = (tool.to_owned(), Location::caller());
        ScriptedCall::new(self, ToolCall { name, arguments, at, varies: false, rehearsed: false })
    }

    /// The tools the server lists for this client, of all pages.
    ///
    /// # Panics
    /// The server gives no list.
    pub async fn tools(&mut self) -> Vec<Value> {
        call_driver::list_tools(self).await.unwrap_or_else(|misfit| panic!("{misfit}"))
    }

    /// Every message of the connection since it was opened, with the handshake. A call that was dropped before its end
    /// closes the connection; the next opens another.
    pub fn transcript(&self) -> Transcript {
        self.connection.as_ref().map(|connection| connection.transcript.clone()).unwrap_or_default()
    }

    /// What has run once on its instances since it was last looked at.
    pub(super) fn take_runs(&self) -> Runs {
        let mut runs = Runs::default();
        for service in [&self.server].into_iter().chain(&self.elsewhere).filter_map(Target::service) {
            runs.add(service.0.runs.take());
        }
        runs
    }

    /// Whether a call of this tool can be begun again.
    pub(super) fn is_replayable(&self, tool: &str) -> bool {
        self.registered(tool).is_some_and(|tool| tool.definition.replayable)
    }

    /// What a client must be able to do to call this tool.
    pub(super) fn requires(&self, tool: &str) -> Capabilities {
        self.registered(tool).map(|tool| tool.requires).unwrap_or_default()
    }

    fn registered(&self, tool: &str) -> Option<&Registered> {
        let registry = &self.server.service()?.0.registry;
        registry.find(tool).map(|tool| registry.at(tool))
    }

    /// What was said in a handshake before is no longer true.
    fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self.connection = None;
        self
    }
}

/// What a script can answer, as a client of this revision declares it.
fn all_capabilities(revision: Revision) -> Value {
    match revision {
        Revision::V2024_11_05 | Revision::V2025_03_26 => json!({ "roots": {}, "sampling": {} }),
        Revision::V2025_06_18 => json!({ "roots": {}, "sampling": {}, "elicitation": {} }),
        _ => json!({ "roots": {}, "sampling": { "tools": {} }, "elicitation": { "form": {}, "url": {} } }),
    }
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
