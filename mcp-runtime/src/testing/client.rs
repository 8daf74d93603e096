//! The scripted client, and a call in the making.

use std::{
    fmt,
    panic::Location,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    connection::Connection,
    course,
    outcome::Outcome,
    reply::Reply,
    script::{Script, Step},
    transcript::Transcript,
};
use crate::{
    elicit::Form,
    server::Service,
    wire::{level::Level, revision::Revision},
};

/// A client in memory whose user follows a script.
///
/// It can do whatever a script can answer, wants every log message and all progress, and shakes hands, where its
/// revision has that, before its first call. It may call any number of tools, one after another, in one session; a
/// test of calls that run together takes several clients of one service.
pub struct Client {
    pub(super) service: Service,
    pub(super) settings: Settings,
    pub(super) connection: Option<Connection>,
}

/// What a client says of itself and wants.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) revision: Revision,
    pub(super) capabilities: Value,
    pub(super) info: Value,
    pub(super) log_level: Option<Level>,
    pub(super) limit: Duration,
    pub(super) rebuilds: bool,
    pub(super) principal: Option<String>,
}

/// A tool call, and the script of the answers to what it asks. Await it for its [`Outcome`].
#[must_use = "a call begins when it is awaited"]
pub struct ScriptedCall<'a> {
    client: &'a mut Client,
    request: ToolCall,
    script: Script,
}

/// What is called, and where the test says so.
#[derive(Debug)]
pub(super) struct ToolCall {
    pub(super) name: String,
    pub(super) arguments: Option<Map<String, Value>>,
    pub(super) at: &'static Location<'static>,
}

/// A scripted call on its way.
pub struct CallFuture<'a>(Pin<Box<dyn Future<Output = Result<Outcome, String>> + Send + 'a>>);

impl Client {
    /// A client that speaks this revision.
    pub fn new(service: &Service, revision: Revision) -> Self {
        let settings = Settings {
            revision,
            capabilities: all_capabilities(revision),
            info: json!({ "name": "scripted", "version": "1" }),
            log_level: Some(Level::Debug),
            limit: Duration::from_secs(10),
            rebuilds: false,
            principal: None,
        };
        Self { service: service.clone(), settings, connection: None }
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

    /// What the client can do, instead of everything a script can answer: `json!({ "elicitation": {} })`.
    pub fn capabilities(self, capabilities: Value) -> Self {
        self.with(|settings| settings.capabilities = capabilities)
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

    /// Has the server forget the futures of its calls before every later round, as a restart would: each is rebuilt
    /// from its journal. Only calls of handoffs and `replayable` tools can be.
    pub fn rebuilding(self) -> Self {
        self.with(|settings| settings.rebuilds = true)
    }

    /// Who is behind the client: a name by which the application knows them. Default: nobody is told apart.
    pub fn principal(self, principal: &str) -> Self {
        self.with(|settings| settings.principal = Some(principal.to_owned()))
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
        let request = ToolCall { name: tool.to_owned(), arguments, at: Location::caller() };
        ScriptedCall { client: self, request, script: Script::default() }
    }

    /// The tools the server lists for this client, of all pages.
    ///
    /// # Panics
    /// The server gives no list.
    pub async fn tools(&mut self) -> Vec<Value> {
        course::list_tools(self).await.unwrap_or_else(|misfit| panic!("{misfit}"))
    }

    /// Every message of the connection since it was opened, with the handshake. A call that was dropped before its end
    /// closes the connection; the next opens another.
    pub fn transcript(&self) -> Transcript {
        self.connection.as_ref().map(|connection| connection.transcript.clone()).unwrap_or_default()
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
        Revision::V2024_11_05 | Revision::V2025_03_26 => json!({ "roots": {} }),
        Revision::V2025_06_18 => json!({ "roots": {}, "elicitation": {} }),
        _ => json!({ "roots": {}, "elicitation": { "form": {}, "url": {} } }),
    }
}

impl ScriptedCall<'_> {
    /// The user fills in the form of the next question.
    #[track_caller]
    pub fn accept(self, form: impl Form) -> Self {
        self.reply(Reply::accept(form))
    }

    /// The user says no to the next question.
    #[track_caller]
    pub fn decline(self) -> Self {
        self.reply(Reply::decline())
    }

    /// The user closes the next question without an answer.
    #[track_caller]
    pub fn cancel(self) -> Self {
        self.reply(Reply::cancel())
    }

    /// The user agrees to open the page of the next question.
    #[track_caller]
    pub fn visit(self) -> Self {
        self.reply(Reply::visit())
    }

    /// The client says which folders it works in, each a `file:` URI.
    #[track_caller]
    pub fn roots<U: Into<String>>(self, uris: impl IntoIterator<Item = U>) -> Self {
        self.reply(Reply::roots(uris))
    }

    /// Any JSON answers the next question, whatever it is: `json!({ "action": "accept", "content": { … } })`.
    #[track_caller]
    pub fn answer(self, raw: Value) -> Self {
        self.reply(Reply::answer(raw))
    }

    /// The client refuses the next question with a JSON-RPC error. Only before 2026-07-28: since then an answer has no
    /// place for one, and the script does not fit.
    #[track_caller]
    pub fn refuse(self, code: i64, message: &str) -> Self {
        self.reply(Reply::refuse(code, message))
    }

    /// Answers the next question.
    #[track_caller]
    pub fn reply(mut self, reply: Reply) -> Self {
        self.script.push(Step { reply, at: Location::caller() });
        self
    }

    /// Answers the question of this key, whenever it comes. Several answers to one key are given in their order.
    #[track_caller]
    pub fn reply_to(mut self, key: &str, reply: Reply) -> Self {
        self.script.push_for(key.to_owned(), Step { reply, at: Location::caller() });
        self
    }
}

impl<'a> IntoFuture for ScriptedCall<'a> {
    type Output = Outcome;
    type IntoFuture = CallFuture<'a>;

    fn into_future(self) -> CallFuture<'a> {
        CallFuture(Box::pin(course::run(self.client, self.request, self.script)))
    }
}

impl Future for CallFuture<'_> {
    type Output = Outcome;

    /// The one place where a script that does not fit is a panic: called by the test's own `.await`, it can name that
    /// line as the place of the panic.
    #[track_caller]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        match self.0.as_mut().poll(cx) {
            Poll::Ready(Ok(outcome)) => Poll::Ready(outcome),
            Poll::Ready(Err(misfit)) => panic!("{misfit}"),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl fmt::Debug for ScriptedCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedCall").field("request", &self.request).field("script", &self.script).finish()
    }
}

impl fmt::Debug for CallFuture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallFuture").finish_non_exhaustive()
    }
}
