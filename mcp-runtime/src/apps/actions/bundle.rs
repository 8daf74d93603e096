//! The actions of one value: a tool of a server, and a function that needs no server.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use serde_json::{Value, json};

use super::{
    failure::{ActionFailure, FailureKind},
    set::ActionSet,
};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{
            Call,
            message_sink::DropNotifications,
            request::Peer,
            running::{CallFuture, Round},
        },
        runs::Runs,
        tool::{Arguments, ArgumentsError, State, Tool, ToolDefinition},
    },
    serve::server::{
        Server, Service,
        local_call::{LocalCall, NotBegun},
    },
    wire::protocol::result::CallToolResult,
};

/// The actions of a value, such as a service. The method `into_actions` of the value returns them. The attribute
/// [`#[mcp_actions]`](macro@crate::mcp_actions) generates this method. `Actions` is cheap to clone.
///
/// This type is a [`Tool`]: add it to a server with [`Server::tool`]. [`handle`](Self::handle) runs an action without a
/// server.
#[derive(Clone)]
pub struct Actions {
    set: Arc<ActionSet>,
    instructions: Vec<String>,
    engine: Arc<Engine>,
}

/// A service that runs calls that do not come from a server.
#[derive(Default)]
struct Engine {
    /// The builder of the service, with the states that were added to it.
    server: Mutex<Option<Server>>,
    service: OnceLock<Result<Service, String>>,
}

impl Actions {
    #[doc(hidden)]
    pub fn new(set: ActionSet) -> Self {
        Self { set: Arc::new(set), instructions: Vec::new(), engine: Arc::default() }
    }

    /// Adds a line to the instructions for the model. The instructions of the server contain this line; see the module
    /// [`actions`](crate::actions#instructions).
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions.push(text.into());
        self
    }

    /// Adds a value that actions take by reference in calls of [`handle`](Self::handle). Add the value before the first
    /// call of `handle`. In calls through a server, actions take the values of [`Server::state`] instead.
    #[must_use]
    pub fn state<T: State>(self, value: T) -> Self {
        let mut server = self.engine.server.lock();
        let built = server.take().unwrap_or_else(engine);
        *server = Some(built.state(value));
        drop(server);
        self
    }

    /// Sets the limits for the runs of the actions marked `run`. Default: [`Runs::default`], which stores them in the
    /// [store](Server::store) of the first server with these actions, and without a server in memory.
    ///
    /// # Panics
    /// Panics if no action is marked `run`, or if this value was cloned before.
    #[must_use]
    pub fn runs(mut self, runs: Runs) -> Self {
        let set = Arc::get_mut(&mut self.set).expect("`runs` must be called before the actions are cloned");
        assert!(set.set_runs(runs), "no action is marked `run`; write `#[action(run)]`, or remove `runs`");
        self
    }

    /// Runs an action without a server and returns what the tool would return as structured content: an object with
    /// `action` and `result`, or with `error`. The object can also contain `warnings`.
    ///
    /// The caller is the application itself, which has every scope: check what your user may do before you call. An
    /// action that asks the user fails, because there is no client. Progress and log messages are dropped.
    pub async fn handle(&self, input: Value) -> Value {
        let failed = |message: String| json!({ "error": ActionFailure::new(FailureKind::Failed, message) });
        let engine = match self.engine.service.get_or_init(|| self.build()) {
            Ok(engine) => engine,
            Err(reason) => return failed(reason.clone()),
        };
        let tool = Arc::clone(engine.0.registry.read().tool_at(0));
        let arguments = input.to_string();
        let peer = Peer::new(Arc::new(DropNotifications), None);
        let call = LocalCall { service: engine, tool: &tool, described: None, arguments: &arguments, peer, room: None };
        let value = |result: CallToolResult| {
            let structured = result.structured.as_ref().and_then(|text| serde_json::from_str(text).ok());
            // The result of a panic or a timeout has no structured content. The runtime reports both.
            structured.unwrap_or_else(|| failed(result.first_text().to_owned()))
        };
        match call.run().await.map(|ended| ended.round) {
            Ok(Round::Done(Ok(result))) => value(result),
            Err(NotBegun::Invalid(invalid)) => failed(tool.refuse_arguments(&invalid).first_text().to_owned()),
            Err(NotBegun::Refused(error)) => failed(error.message),
            Ok(Round::Done(Err(error))) => failed(error.message),
            Ok(Round::Asks) => failed("the action asks the client, but a call with `handle` has no client".to_owned()),
        }
    }

    /// Returns whether a call of this action begins a run.
    pub(crate) fn begins_run(&self, action: &str) -> bool {
        self.set.begins_run(action)
    }

    /// Returns the table of background runs. `None` if no action runs in the background.
    pub(crate) fn run_manager(&self) -> Option<&crate::engine::runs::manager::RunManager> {
        self.set.runs.as_deref()
    }

    fn build(&self) -> Result<Service, String> {
        let server = self.engine.server.lock().take();
        let tool = ActionsTool(Arc::clone(&self.set));
        server.unwrap_or_else(engine).tool(tool).build().map_err(|error| error.to_string())
    }
}

fn engine() -> Server {
    Server::new("actions", "1.0.0").without_warnings()
}

#[diagnostic::do_not_recommend]
impl Tool for Actions {
    fn definition(&self) -> ToolDefinition {
        self.set.definition(&self.instructions)
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        Ok(begin(&self.set, call, arguments))
    }
}

/// The tool of the engine. The tool does not refer to the engine, because such a cycle would never be dropped.
struct ActionsTool(Arc<ActionSet>);

#[diagnostic::do_not_recommend]
impl Tool for ActionsTool {
    fn definition(&self) -> ToolDefinition {
        self.0.definition(&[])
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        Ok(begin(&self.0, call, arguments))
    }
}

fn begin(set: &Arc<ActionSet>, call: Call, arguments: Arguments<'_>) -> CallFuture {
    Box::pin(Arc::clone(set).answer(call, arguments.as_str().to_owned()))
}

impl fmt::Debug for Actions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Actions").field("set", &self.set).finish_non_exhaustive()
    }
}
