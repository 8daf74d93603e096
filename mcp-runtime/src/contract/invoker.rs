//! Calls methods by their names: the interface of doors.

use std::{
    fmt,
    pin::Pin,
    sync::{Arc, Mutex},
};

use serde_json::value::RawValue;

use super::{Contract, Descriptor, tool::tool_name};
use crate::{
    call::{
        Call, Client, Outlet,
        observer::{Observer as _, observer},
        request::{Caller, Peer, Request},
        running::{Calling, Round, Running},
    },
    error::ToolError,
    protocol::{capability::Capabilities, frame::Frame, revision::Revision},
    server::Service,
};

/// The interface between a door and the methods that it opens: a door reads the descriptor, fills an input, and calls a
/// method by the names of its resource and itself. [`Contract`] implements it.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_runtime::contract::{InvokeError, Invoker};
///
/// /// A door for a command line: `todos.create '{ "title": "milk" }'`.
/// async fn run(invoker: Arc<dyn Invoker>, name: &str, json: &str) -> Result<String, InvokeError> {
///     let (resource, method) = name.split_once('.').ok_or(InvokeError::UnknownMethod)?;
///     let mut input = invoker.input(resource, method).ok_or(InvokeError::UnknownMethod)?;
///     input.set_json(json);
///     let output = invoker.call(input).await?;
///     Ok(output.get().to_owned())
/// }
/// ```
pub trait Invoker: Send + Sync {
    /// Returns the description of the resources, methods and types.
    fn descriptor(&self) -> &Descriptor;

    /// Creates the input of a call of this method: an empty object. Returns `None` if there is no such method.
    fn input(&self, resource: &str, method: &str) -> Option<MethodInput>;

    /// Calls the method for which the input was created, and returns its output as JSON: `null` for no output.
    fn call(&self, input: MethodInput) -> Invocation;
}

/// The future of a call.
pub type Invocation = Pin<Box<dyn Future<Output = Result<Box<RawValue>, InvokeError>> + Send>>;

/// The input of one call of a method.
#[derive(Clone, Debug)]
pub struct MethodInput {
    method: usize,
    json: String,
}

/// The reason why a call has no output.
#[derive(Debug)]
#[non_exhaustive]
pub enum InvokeError {
    /// There is no method of this name.
    UnknownMethod,
    /// The input does not fit the schema. The text has one line for each mistake.
    InvalidInput(String),
    /// The method failed.
    Failed(ToolError),
    /// The service has a fault: the method panicked, took too long, or its output cannot be written as JSON.
    Internal(String),
}

impl MethodInput {
    /// Sets the JSON text of the input, which must be an object. [`Invoker::call`] checks it.
    pub fn set_json(&mut self, json: impl Into<String>) {
        self.json = json.into();
    }

    /// Returns the JSON text of the input.
    pub fn json(&self) -> &str {
        &self.json
    }
}

impl Invoker for Contract {
    fn descriptor(&self) -> &Descriptor {
        &self.0.descriptor
    }

    fn input(&self, resource: &str, method: &str) -> Option<MethodInput> {
        // The names are looked up together: a name can contain the `_` that joins them.
        self.0.descriptor.method(resource, method)?;
        let method = self.0.engine.0.registry.find(&tool_name(resource, method))?;
        Some(MethodInput { method, json: "{}".to_owned() })
    }

    fn call(&self, input: MethodInput) -> Invocation {
        let engine = self.0.engine.clone();
        Box::pin(async move { run(&engine, &input).await })
    }
}

/// Runs a call that no MCP client has sent, so that it cannot ask.
async fn run(engine: &Service, input: &MethodInput) -> Result<Box<RawValue>, InvokeError> {
    let client = Client::new(None, Revision::LATEST, Capabilities::default());
    let caller = Caller::Modern { client, log_level: None };
    let peer = Peer::new(Arc::new(DropNotifications), None);
    let request = Request::new(caller, None, &peer);
    let call = Call::new(Arc::clone(&engine.0) as _, input.method, request);
    let tool = engine.0.registry.at(input.method);
    if !input.json.trim_start().starts_with('{') {
        return Err(InvokeError::InvalidInput("the input must be an object".to_owned()));
    }
    let state = Arc::clone(&call.0);
    let watch = observer().call(&state, 0);
    let calling = tool.begin(call, &input.json).map_err(|invalid| InvokeError::InvalidInput(text_of(&invalid)))?;
    let failure = Arc::new(Mutex::new(None));
    let mut running = Running::new(with_failure(calling, Arc::clone(&failure)), None, state, Vec::new(), watch);
    let outcome = match running.round().await {
        Round::Done(outcome) => outcome,
        Round::Asks => return Err(InvokeError::Internal("the method asked a client that cannot answer".to_owned())),
    };
    if let Some(error) = failure.lock().expect("no code panics with this lock").take() {
        return Err(InvokeError::Failed(error));
    }
    match outcome {
        Ok(result) if !result.is_error() => {
            result.structured.ok_or_else(|| InvokeError::Internal("the method has no output".to_owned()))
        }
        Ok(result) => Err(InvokeError::Internal(text_of(&result))),
        Err(error) => Err(InvokeError::Internal(error.message)),
    }
}

/// Keeps the error of a method with its type, which the result of a tool does not have.
fn with_failure(calling: Calling, failure: Arc<Mutex<Option<ToolError>>>) -> Calling {
    Box::pin(async move {
        calling.await.map_err(|error| {
            let text = error.to_string();
            *failure.lock().expect("no code panics with this lock") = Some(error);
            text.into()
        })
    })
}

fn text_of(result: &crate::CallToolResult) -> String {
    result.content().iter().filter_map(|content| content.as_text()).collect()
}

/// Drops the notifications of a call whose caller does not read them.
struct DropNotifications;

impl Outlet for DropNotifications {
    fn send(&self, _: Frame) {}
}

impl fmt::Display for InvokeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownMethod => f.write_str("there is no such method"),
            Self::InvalidInput(reason) | Self::Internal(reason) => f.write_str(reason),
            Self::Failed(error) => f.write_str(&error.chain()),
        }
    }
}

impl std::error::Error for InvokeError {}
