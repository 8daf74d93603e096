//! All results and errors pass through this module before callers get them. It removes internal values:
//!
//! - Members of objects whose names begin with `_`, and fields that are marked as internal, are removed from results,
//!   descriptions and the data of errors, at every depth.
//! - The values after such names are replaced in texts: in messages of errors and in text results.

use memchr::memmem;
use serde_json::{Map, Value, json, to_string};

use super::{
    action::CompiledAction,
    failure::{ActionFailure, FailureKind},
    redact::redact,
    visibility::{Detail, remove_underscored, remove_underscored_members},
};
use crate::wire::protocol::{
    content::Content, json::object_of_some, result::CallToolResult, scan::Scanner, text::json_string,
};

/// Marks fields of a type that actions return.
///
/// | attribute of a field | effect |
/// | --- | --- |
/// | `#[internal]` | no action ever returns the field |
/// | `#[summary(skip)]` | the field is left out of the results of actions with `#[action(list)]` |
///
/// ```
/// use mcp_runtime::prelude::*;
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// #[action_output]
/// #[derive(Serialize, JsonSchema)]
/// struct Run {
///     id: u32,
///     #[summary(skip)]
///     trace: Vec<String>,
///     #[internal]
///     lease: String,
/// }
/// ```
///
/// Write `#[action_output]` above `#[derive(JsonSchema)]`: the marks become part of the type's schema, as the keywords
/// `x-internal` and `x-summary-skip`. So the marks also apply where the type is nested in other types. The marks do not
/// change how the type is serialized elsewhere, for example for storage or by a tool without actions.
pub use mcp_macros::action_output;

/// The outcome of a call of a tool with actions. It can still contain internal values.
pub(super) enum ActionOutcome<'a> {
    Done {
        action: &'a CompiledAction,
        result: CallToolResult,
    },
    /// A description, or a report about runs. `has_failed` says whether the call has waited for a run that has failed.
    Report {
        action: &'a str,
        report: Option<String>,
        has_failed: bool,
    },
    /// An answer of the runtime about a run.
    Task(CallToolResult),
    Failed(ActionFailure),
}

/// Removes internal values from everything that callers get.
#[derive(Debug)]
pub(super) struct OutputFilter {
    /// The names of the fields that are marked as internal in any result.
    pub(super) internal: Vec<String>,
    /// Whether results leave as they are, because they are those of another service, which has no internal values.
    pub(super) is_open: bool,
}

impl OutputFilter {
    /// Returns the result that the caller gets.
    pub(super) fn leave(&self, outcome: ActionOutcome<'_>, warnings: Vec<String>) -> CallToolResult {
        let is_error = matches!(outcome, ActionOutcome::Report { has_failed: true, .. });
        if let ActionOutcome::Task(created) = outcome {
            return created;
        }
        match self.left(outcome) {
            Ok(left) => CallToolResult { is_error, ..left.into_result(warnings) },
            Err(failure) => {
                let envelope = object_of_some([("error", Some(json!(failure))), listed(&warnings)]);
                CallToolResult { structured: to_string(&envelope).ok(), ..CallToolResult::error(failure.message) }
            }
        }
    }

    /// Returns the result of a run's call. Its structured content is the result of the action, or its error.
    pub(super) fn end_of_run(&self, outcome: ActionOutcome<'_>) -> CallToolResult {
        match self.left(outcome) {
            Ok(left) => CallToolResult { structured: left.result, ..CallToolResult::default() },
            Err(failure) => {
                CallToolResult { structured: to_string(&failure).ok(), ..CallToolResult::error(failure.message) }
            }
        }
    }

    /// Removes the internal values from a result or an error.
    fn left<'a>(&self, outcome: ActionOutcome<'a>) -> Result<Left<'a>, ActionFailure> {
        let failure = match outcome {
            ActionOutcome::Done { action, result } if result.is_error => {
                let texts: Vec<_> = result.content().iter().filter_map(Content::as_text).collect();
                ActionFailure::of_action(&action.name, texts.join("\n"))
            }
            ActionOutcome::Done { action, result } => match self.result(action, result) {
                Ok(left) => return Ok(left),
                Err(failure) => failure,
            },
            ActionOutcome::Report { action, report, .. } => {
                let result = if self.is_open { report } else { report.and_then(without_underscored) };
                return Ok(Left { action, result, blocks: Vec::new(), meta: None });
            }
            ActionOutcome::Task(_) => unreachable!("the answer of the runtime leaves as it is"),
            ActionOutcome::Failed(failure) => failure,
        };
        Err(self.cleaned(failure))
    }

    /// Removes internal values from the data of a log message. The type of the data is not known, so each field with
    /// the name of an internal field is removed.
    pub(super) fn clean(&self, data: &mut Value) {
        match data {
            Value::String(text) => *text = redact(text, &self.internal).into_owned(),
            Value::Array(items) => items.iter_mut().for_each(|item| self.clean(item)),
            Value::Object(members) => {
                members.retain(|name, _| !name.starts_with('_') && !self.internal.contains(name));
                members.values_mut().for_each(|member| self.clean(member));
            }
            _ => {}
        }
    }

    fn cleaned(&self, mut failure: ActionFailure) -> ActionFailure {
        if self.is_open {
            return failure;
        }
        failure.message = redact(&failure.message, &self.internal).into_owned();
        for problem in &mut failure.details.problems {
            // The values that the message shows were sent by the caller.
            problem.message = redact(&problem.message, &self.internal).into_owned();
            problem.got.iter_mut().for_each(remove_underscored);
        }
        failure
    }

    /// Removes internal values from a result. Fails if the result is nested too deeply.
    fn result<'a>(&self, action: &'a CompiledAction, mut result: CallToolResult) -> Result<Left<'a>, ActionFailure> {
        let detail = if action.is_list { Detail::Summary } else { Detail::Full };
        let mut meta = result.meta.take();
        if !self.is_open {
            meta.iter_mut().for_each(|meta| remove_underscored_members(meta));
        }
        if let Some(text) = result.structured.take() {
            // The scanner rejects what is nested too deeply.
            if (self.is_open || !action.marks.may_remove(&text)) && Scanner::new(&text).value().is_ok() {
                return Ok(Left { action: &action.name, result: Some(text), blocks: Vec::new(), meta });
            }
            let mut value: Value = serde_json::from_str(&text).map_err(|error| {
                let message = format!("the result of '{}' cannot be read: {error}", action.name);
                ActionFailure::new(FailureKind::Failed, message)
            })?;
            action.marks.remove(&mut value, detail);
            return Ok(Left { action: &action.name, result: to_string(&value).ok(), blocks: Vec::new(), meta });
        }
        let blocks: Vec<Content> = result
            .take_content()
            .into_iter()
            .map(|block| match block.as_text() {
                Some(text) if !self.is_open => Content::text(redact(text, &self.internal).into_owned()),
                _ => block,
            })
            .collect();
        let result = match &blocks[..] {
            [] => None,
            [only] if only.as_text().is_some() => only.as_text().map(json_string),
            all if self.is_open => to_string(&all).ok(),
            all => to_string(&all).ok().and_then(without_underscored),
        };
        Ok(Left { action: &action.name, result, blocks, meta })
    }
}

/// A result without internal values.
struct Left<'a> {
    action: &'a str,
    /// JSON text. `None` is `null`.
    result: Option<String>,
    /// The blocks of a result that is not structured.
    blocks: Vec<Content>,
    meta: Option<Box<Map<String, Value>>>,
}

impl Left<'_> {
    fn into_result(self, warnings: Vec<String>) -> CallToolResult {
        let Self { action, result, blocks, meta } = self;
        let (action, result) = (json_string(action), result.as_deref().unwrap_or("null"));
        let mut text = format!(r#"{{"action":{action},"result":{result}"#);
        if !warnings.is_empty() {
            text.push_str(r#","warnings":"#);
            text.push_str(&json!(warnings).to_string());
        }
        text.push('}');
        let shown = match blocks.is_empty() {
            true => CallToolResult::default(),
            // The caller reads the blocks, which need no second copy as JSON text.
            false => CallToolResult::new(blocks.into_iter().chain(warnings.into_iter().map(Content::text))),
        };
        CallToolResult { structured: Some(text), meta, ..shown }
    }
}

/// Removes each member whose name begins with `_`, at every depth.
fn without_underscored(json: String) -> Option<String> {
    // A name of our own texts contains no escaped underscore.
    if memmem::find(json.as_bytes(), b"\"_").is_none() {
        return Some(json);
    }
    let mut value = serde_json::from_str(&json).unwrap_or_default();
    remove_underscored(&mut value);
    to_string(&value).ok()
}

/// Returns the member of a result with its warnings, if there are any.
fn listed(warnings: &[String]) -> (&'static str, Option<Value>) {
    ("warnings", Some(json!(warnings)).filter(|_| !warnings.is_empty()))
}
