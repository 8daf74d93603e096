//! The requests that a script can make.

use std::{fmt, panic::Location};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{mode_comparison::Misfit, transcript::Transcript};
use crate::engine::call::operation::Operation;

/// A request, and the line of the test that makes it.
#[derive(Debug)]
pub(super) struct ScriptedRequest {
    pub(super) target: RequestTarget,
    pub(super) at: &'static Location<'static>,
    /// Whether the questions and the result may differ between modes.
    pub(super) varies: bool,
    /// Whether each round is replayed, to check that the replay asks the same questions.
    pub(super) rehearsed: bool,
}

/// The item that a request calls, gets, reads or completes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RequestTarget {
    Tool { name: String, arguments: Option<Map<String, Value>> },
    Prompt { name: String, arguments: Option<Map<String, Value>> },
    Completion(CompletedArgument),
    Resource { uri: String },
}

/// An argument of a prompt, or a variable of a template. Also holds the text that the user has typed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CompletedArgument {
    /// The name of the prompt, or the URI template.
    pub(super) of: String,
    pub(super) is_template: bool,
    pub(super) name: String,
    pub(super) typed: String,
    /// The arguments that the user has already filled in.
    pub(super) filled: Map<String, Value>,
}

impl RequestTarget {
    pub(super) fn operation(&self) -> Operation {
        match self {
            Self::Tool { .. } => Operation::CallTool,
            Self::Prompt { .. } => Operation::GetPrompt,
            Self::Completion(_) => Operation::Complete,
            Self::Resource { .. } => Operation::ReadResource,
        }
    }

    /// Returns the name with which the server finds the registered item. For a resource, this is the URI.
    pub(super) fn registered_name(&self) -> &str {
        match self {
            Self::Tool { name, .. } | Self::Prompt { name, .. } => name,
            Self::Completion(_) => Operation::Complete.method(),
            Self::Resource { uri } => uri,
        }
    }

    /// Returns the parameters of the first request.
    pub(super) fn params(&self) -> Map<String, Value> {
        let mut params = Map::new();
        match self {
            Self::Tool { name, arguments } | Self::Prompt { name, arguments } => {
                params.insert("name".into(), name.as_str().into());
                params.extend(arguments.clone().map(|arguments| ("arguments".into(), arguments.into())));
            }
            Self::Resource { uri } => drop(params.insert("uri".into(), uri.as_str().into())),
            Self::Completion(CompletedArgument { of, is_template, name, typed, filled }) => {
                let item = match is_template {
                    true => json!({ "type": "ref/resource", "uri": of }),
                    false => json!({ "type": "ref/prompt", "name": of }),
                };
                params.insert("ref".into(), item);
                params.insert("argument".into(), json!({ "name": name, "value": typed }));
                if !filled.is_empty() {
                    params.insert("context".into(), json!({ "arguments": filled }));
                }
            }
        }
        params
    }

    /// Returns the arguments of a tool or prompt, or the URI of a resource, as JSON.
    pub(super) fn arguments(&self) -> String {
        match self {
            Self::Tool { arguments: Some(arguments), .. } | Self::Prompt { arguments: Some(arguments), .. } => {
                json!(arguments).to_string()
            }
            Self::Resource { uri } => json!(uri).to_string(),
            _ => "{}".to_owned(),
        }
    }
}

impl ScriptedRequest {
    pub(super) fn new(target: RequestTarget, at: &'static Location<'static>) -> Self {
        Self { target, at, varies: false, rehearsed: false }
    }

    /// Returns the message with which the test panics.
    pub(super) fn misfit(
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

impl fmt::Display for RequestTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tool { name, .. } => write!(f, "call of `{name}`"),
            Self::Prompt { name, .. } => write!(f, "prompt `{name}`"),
            Self::Completion(CompletedArgument { of, is_template, name, .. }) => {
                write!(f, "completion of `{name}` of the {} `{of}`", if *is_template { "template" } else { "prompt" })
            }
            Self::Resource { uri } => write!(f, "resource `{uri}`"),
        }
    }
}

/// Serializes arguments to an object. Returns `None` if they are serialized to `null`, as `()` is.
///
/// # Panics
/// Panics if `arguments` is not serialized to an object or to `null`.
#[track_caller]
pub(super) fn object(arguments: impl Serialize) -> Option<Map<String, Value>> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(arguments)) => Some(arguments),
        Ok(Value::Null) => None,
        Ok(other) => panic!("the arguments of a call must be an object, not {other}"),
        Err(error) => panic!("the arguments of the call cannot be written as JSON: {error}"),
    }
}
