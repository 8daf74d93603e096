//! The requests that a script can make.

use std::{fmt, panic::Location};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{
    edge::testing::observed::transcript::Transcript,
    engine::call::operation::Operation,
    serve::client::{ClientRequest, CompletedArgument},
};

/// A request, and the line of the test that makes it.
#[derive(Clone, Debug)]
pub(crate) struct ScriptedRequest {
    pub(crate) target: ClientRequest,
    pub(crate) at: &'static Location<'static>,
    /// Whether the questions and the result may differ between modes.
    pub(crate) varies: bool,
    /// Whether each round is replayed, to check that the replay asks the same questions.
    pub(crate) rehearsed: bool,
}

/// A text that says why a test fails.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum Misfit {
    /// The script does not fit the call.
    #[error("{0}")]
    Script(String),
    /// The server breaks a rule of the protocol or of this crate.
    #[error("{0}")]
    Server(String),
    /// A replay of the call asks different questions.
    #[error("{0}")]
    NotReplaySafe(String),
    /// The test cannot check whether the call is replay-safe.
    #[error("{0}")]
    Unchecked(String),
    /// The script cancels the call here. This is not a failure, and `call_driver` handles it.
    #[error("the script cancels the call")]
    Cancelled,
}

impl ClientRequest {
    /// Returns the kind of the item that the request is about, and the name with which the server finds the item. For a
    /// resource, this is the URI.
    pub(crate) fn registered(&self) -> (Operation, &str) {
        match self {
            Self::Tool { name, .. } => (Operation::CallTool, name),
            Self::Prompt { name, .. } => (Operation::GetPrompt, name),
            Self::Resource { uri } => (Operation::ReadResource, uri),
            Self::Completion(_) => (Operation::Complete, Operation::Complete.method()),
            #[cfg(feature = "remote")]
            Self::Task { operation, id } => (*operation, id),
            Self::List { method, .. } => (Operation::ListResources, method),
        }
    }

    /// Returns the arguments of a tool or prompt, or the URI of a resource, as JSON.
    pub(crate) fn arguments(&self) -> String {
        match self {
            Self::Tool { arguments: Some(arguments), .. } | Self::Prompt { arguments: Some(arguments), .. } => {
                arguments.to_string()
            }
            Self::Resource { uri } => json!(uri).to_string(),
            _ => "{}".to_owned(),
        }
    }
}

impl ScriptedRequest {
    pub(crate) fn new(target: ClientRequest, at: &'static Location<'static>) -> Self {
        Self { target, at, varies: false, rehearsed: false }
    }

    /// Returns the message with which the test panics.
    pub(crate) fn misfit(
        &self,
        misfit: &Misfit,
        mode: Option<&str>,
        transcript: &Transcript,
        standard_error: Option<&str>,
    ) -> String {
        let (target, at) = (&self.target, self.at);
        let place = mode.map_or_else(|| at.to_string(), |mode| format!("{at}, in the mode `{mode}`"));
        let (lead, said) = match misfit {
            Misfit::Script(words) => {
                (format!("the script does not fit the {target} ({place}): {words}"), transcript.to_string())
            }
            Misfit::Cancelled => unreachable!("a call that its script cancels has an outcome"),
            Misfit::Server(words) => (format!("the {target} ({place}) failed: {words}"), transcript.to_string()),
            Misfit::NotReplaySafe(words) => {
                (format!("the {target} ({place}) is not replay-safe: {words}"), transcript.in_brief())
            }
            Misfit::Unchecked(words) => {
                return format!("cannot check whether the {target} ({place}) is replay-safe: {words}");
            }
        };
        let errors = standard_error.map(|text| format!("\nstandard error of the server:\n{}\n", text.trim_end()));
        format!("{lead}\n\nmessages:\n{said}{}", errors.unwrap_or_default())
    }
}

impl From<String> for Misfit {
    fn from(words: String) -> Self {
        Self::Script(words)
    }
}

impl fmt::Display for ClientRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool { name, .. } => write!(f, "call of `{name}`"),
            Self::Prompt { name, .. } => write!(f, "prompt `{name}`"),
            Self::Completion(CompletedArgument { of, is_template, name, .. }) => {
                write!(f, "completion of `{name}` of the {} `{of}`", if *is_template { "template" } else { "prompt" })
            }
            Self::Resource { uri } => write!(f, "resource `{uri}`"),
            #[cfg(feature = "remote")]
            Self::Task { id, .. } => write!(f, "task `{id}`"),
            Self::List { method, .. } => write!(f, "request `{method}`"),
        }
    }
}

/// Serializes a value to an object. Returns `None` if it is serialized to `null`, as `()` is. `what` names the value.
///
/// # Panics
/// Panics if `value` is not serialized to an object or to `null`.
#[track_caller]
pub(crate) fn object(what: &str, value: impl Serialize) -> Option<Map<String, Value>> {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => Some(object),
        Ok(Value::Null) => None,
        Ok(other) => panic!("{what} must be an object, not {other}"),
        Err(error) => panic!("{what} cannot be written as JSON: {error}"),
    }
}
