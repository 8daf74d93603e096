//! All results and errors pass through this module before callers get them. It removes internal values:
//!
//! - Members of objects whose names begin with `_`, and fields that are marked as internal, are removed from results,
//!   descriptions and the data of errors, at every depth.
//! - The values after such names are replaced in texts: in messages of errors and in text results.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{
    action::CompiledAction,
    failure::{ActionFailure, FailureKind},
    marks::{Detail, remove_underscored},
    redact::redact,
};
use crate::wire::protocol::{content::Content, result::CallToolResult};

/// The outcome of a call of a tool with actions. It can still contain internal values.
pub(super) enum ActionOutcome<'a> {
    Done {
        action: &'a CompiledAction,
        result: CallToolResult,
    },
    /// A description, or information about runs.
    BuiltIn(&'a str, Value),
    /// The report about a run that the call has waited for.
    Run {
        action: &'a str,
        report: Value,
        has_failed: bool,
    },
    /// An answer of the runtime about a run.
    Task(CallToolResult),
    Failed(ActionFailure),
}

/// Removes internal values from everything that callers get.
#[derive(Debug)]
pub(super) struct Exit {
    /// The names of the fields that are marked as internal in any result.
    internal: Vec<String>,
}

impl Exit {
    pub(super) fn new(mut internal: Vec<String>) -> Self {
        internal.sort_unstable();
        internal.dedup();
        Self { internal }
    }

    /// Returns the result that the caller gets.
    pub(super) fn leave(&self, outcome: ActionOutcome<'_>, warnings: Vec<String>) -> CallToolResult {
        let is_error = matches!(outcome, ActionOutcome::Run { has_failed: true, .. });
        let left = match outcome {
            ActionOutcome::Done { result, action } if result.is_error => {
                let message = texts(&result).join("\n");
                return self.failed(ActionFailure::of_action(&action.name, message), &warnings);
            }
            ActionOutcome::Task(created) => return created,
            ActionOutcome::Failed(failure) => return self.failed(failure, &warnings),
            ActionOutcome::Done { action, result } => self.result(action, result),
            ActionOutcome::BuiltIn(action, mut result) | ActionOutcome::Run { action, report: mut result, .. } => {
                remove_underscored(&mut result);
                Ok(Left { action, result, blocks: Vec::new(), meta: None })
            }
        };
        match left {
            Ok(left) => CallToolResult { is_error, ..left.into_result(warnings) },
            Err(reason) => self.failed(ActionFailure::new(FailureKind::Failed, reason), &warnings),
        }
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

    /// Returns the result of a run, in the form that a call gets if the call waits for the run.
    pub(super) fn of_run(&self, action: &str, report: Value, has_failed: bool) -> CallToolResult {
        self.leave(ActionOutcome::Run { action, report, has_failed }, Vec::new())
    }

    fn failed(&self, failure: ActionFailure, warnings: &[String]) -> CallToolResult {
        let message = redact(&failure.message, &self.internal).into_owned();
        let mut data = serde_json::to_value(ActionFailure { message: message.clone(), ..failure }).unwrap_or_default();
        remove_underscored(&mut data);
        self.redact_messages(&mut data);
        let mut envelope = json!({ "error": data });
        if !warnings.is_empty() {
            envelope["warnings"] = json!(warnings);
        }
        let structured = serde_json::value::to_raw_value(&envelope).ok();
        CallToolResult { structured, ..CallToolResult::error(message) }
    }

    /// Redacts the messages of problems. The values that they show were sent by the caller.
    fn redact_messages(&self, data: &mut Value) {
        let problems = data.get_mut("problems").and_then(Value::as_array_mut);
        for problem in problems.into_iter().flatten() {
            if let Some(Value::String(message)) = problem.get_mut("message") {
                *message = redact(message, &self.internal).into_owned();
            }
        }
    }

    /// Removes internal values from a result. Fails if the result is nested too deeply.
    fn result<'a>(&self, action: &'a CompiledAction, result: CallToolResult) -> Result<Left<'a>, String> {
        let detail = if action.is_list { Detail::Summary } else { Detail::Full };
        let mut meta = result.meta.map(|meta| Value::Object(*meta));
        if let Some(meta) = &mut meta {
            remove_underscored(meta);
        }
        let meta = meta.and_then(|meta| match meta {
            Value::Object(meta) => Some(Box::new(meta)),
            _ => None,
        });
        if let Some(text) = &result.structured {
            let mut value: Value = serde_json::from_str(text.get())
                .map_err(|error| format!("the result of '{}' cannot be read: {error}", action.name))?;
            action.marks.remove(&mut value, detail);
            return Ok(Left { action: &action.name, result: value, blocks: Vec::new(), meta });
        }
        let blocks: Vec<Content> = result
            .content
            .into_iter()
            .map(|block| match block.as_text() {
                Some(text) => Content::text(redact(text, &self.internal).into_owned()),
                None => block,
            })
            .collect();
        let result = match &blocks[..] {
            [] => Value::Null,
            [only] if only.as_text().is_some() => only.as_text().into(),
            all => {
                let mut all = all.iter().map(|block| serde_json::to_value(block).unwrap_or_default()).collect();
                remove_underscored(&mut all);
                all
            }
        };
        Ok(Left { action: &action.name, result, blocks, meta })
    }
}

/// A result without internal values.
struct Left<'a> {
    action: &'a str,
    result: Value,
    /// The blocks of a result that is not structured.
    blocks: Vec<Content>,
    meta: Option<Box<Map<String, Value>>>,
}

/// The structured content of a result.
#[derive(Serialize)]
struct ResultEnvelope<'a> {
    action: &'a str,
    result: &'a Value,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'a [String],
}

impl Left<'_> {
    fn into_result(self, warnings: Vec<String>) -> CallToolResult {
        let Self { action, result, blocks, meta } = self;
        let envelope = ResultEnvelope { action, result: &result, warnings: &warnings };
        let mut left = CallToolResult::json(&envelope).unwrap_or_default();
        if !blocks.is_empty() {
            // The caller reads the blocks, which need no second copy as JSON text.
            left.content = blocks;
            left.content.extend(warnings.into_iter().map(Content::text));
        }
        CallToolResult { meta, ..left }
    }
}

fn texts(result: &CallToolResult) -> Vec<&str> {
    result.content.iter().filter_map(Content::as_text).collect()
}
