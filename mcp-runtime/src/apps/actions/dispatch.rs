//! Reads the input of a tool with actions, an object with `action` and `params`, and runs the action.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value, to_string, value::RawValue};

use super::{
    action::{ActionKind, CompiledAction},
    describe::describe,
    failure::{ActionFailure, FailureKind, shown},
    output_filter::ActionOutcome,
    runs::start,
    set::{ActionSet, AliasValue, DESCRIBE, call_method, reads_json_strings},
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, running::CallFuture},
        runs::details::json_value,
        tool::bound::BoundMethod,
    },
    wire::{protocol::result::CallToolResult, schema::nearest::nearest},
};

/// The input of a tool with actions, before the parameters are checked.
#[derive(Debug)]
struct ActionInput<'t> {
    action: String,
    /// A JSON object.
    params: Cow<'t, str>,
    /// What the caller should do differently the next time.
    warnings: Vec<String>,
}

impl ActionSet {
    /// Runs one call of the tool. `input` is the JSON text of the input.
    ///
    /// # Errors
    /// Fails only with an error of the protocol. An error of the action is part of the result.
    pub(super) async fn answer(self: Arc<Self>, call: Call, input: String) -> Result<CallToolResult, ToolError> {
        let ActionInput { action, params, warnings } = match ActionInput::read(&input, &self, reads_json_strings(&call))
        {
            Ok(input) => input,
            Err(failure) => return Ok(self.exit.leave(ActionOutcome::Failed(failure), Vec::new())),
        };
        let outcome = if action == DESCRIBE {
            match describe(&self, &serde_json::from_str(&params).unwrap_or_default()).await {
                Ok(report) => {
                    ActionOutcome::Report { action: DESCRIBE, report: to_string(&report).ok(), has_failed: false }
                }
                Err(error) => self.failed(&call, DESCRIBE, error)?,
            }
        } else {
            match self.find(&action) {
                Err(failure) => ActionOutcome::Failed(failure),
                Ok((index, [])) => self.run(index, &call, &params).await?,
                Ok((index, sets)) => self.run(index, &call, &with_sets(&params, sets)).await?,
            }
        };
        Ok(self.exit.leave(outcome, warnings))
    }

    /// Runs the action at this index. `params` is a JSON object.
    async fn run(self: &Arc<Self>, index: usize, call: &Call, params: &str) -> Result<ActionOutcome<'_>, ToolError> {
        let action = &self.actions[index];
        let outcome = match &action.kind {
            ActionKind::Call(method) => match self.begin(action, method, call, params).await {
                Ok(calling) => return self.outcome(action, call, calling.await),
                Err(error) => Err(error),
            },
            ActionKind::Run(_) => start(self, index, call, params, None).await,
            ActionKind::BuiltIn(built_in) => built_in.run(self, action, call, params).await,
        };
        outcome.or_else(|error| self.failed(call, &action.name, error))
    }

    /// Checks the parameters and begins the action.
    async fn begin(
        &self,
        action: &CompiledAction,
        method: &BoundMethod,
        call: &Call,
        params: &str,
    ) -> Result<CallFuture, ToolError> {
        let checked = self.checked(action, call, params).await?;
        Ok(call_method(action, method, call.clone(), &checked)?)
    }
}

impl<'t> ActionInput<'t> {
    /// Reads the input. `reads_json_strings` states whether `params` can be a string that contains an object.
    ///
    /// # Errors
    /// Fails if the text is not such an input.
    fn read(text: &'t str, set: &ActionSet, reads_json_strings: bool) -> Result<Self, ActionFailure> {
        let invalid = |message: String| ActionFailure::new(FailureKind::InvalidInput, message);
        let names = || set.names().collect::<Vec<_>>().join(", ");
        let mut input: BTreeMap<Cow<'t, str>, &'t RawValue> = serde_json::from_str(text).map_err(|_| {
            invalid(match serde_json::from_str(text) {
                Ok(other) => {
                    format!("the input must be an object with `action` and `params` (got {})", shown(&other))
                }
                Err(error) => format!("not valid JSON: {error}"),
            })
        })?;
        let Some(action) = input.remove("action") else {
            let near = nearest("action", input.keys().map(|name| &**name));
            let near = near.map(|near| format!("; did you write it as `{near}`?")).unwrap_or_default();
            return Err(invalid(format!("`action` is required: one of: {}{near}", names())));
        };
        let action: String = serde_json::from_str(action.get()).map_err(|_| {
            invalid(format!("`action` must be one of: {} (got {})", names(), shown(&json_value(action))))
        })?;
        let mut warnings = Vec::new();
        let params = match input.remove("params").map(RawValue::get) {
            None | Some("null") => "{}".into(),
            Some(params) if params.starts_with('{') => params.into(),
            Some(other) => match in_string(other).filter(|_| reads_json_strings) {
                Some(params) => {
                    warnings.push("`params` was a string that holds JSON; send it as an object".to_owned());
                    params.into()
                }
                None => {
                    let other = serde_json::from_str(other).unwrap_or_default();
                    return Err(invalid(format!("`params` must be an object (got {})", shown(&other))));
                }
            },
        };
        match input.keys().next() {
            None => Ok(Self { action, params, warnings }),
            Some(other) => Err(invalid(format!(
                "`{other}` is not allowed beside `action` and `params`; the parameters of an action belong in `params`: \
                 {{\"action\": {}, \"params\": {{{}: …}}}}",
                Value::from(action),
                Value::from(&**other),
            ))),
        }
    }
}

/// Returns the parameters, a JSON object, with those that an alias sets.
fn with_sets(params: &str, sets: &[AliasValue]) -> String {
    let mut params: Map<String, Value> = serde_json::from_str(params).unwrap_or_default();
    for (name, value) in sets {
        params.entry(*name).or_insert_with(|| value.clone());
    }
    Value::Object(params).to_string()
}

/// Returns the JSON object that a JSON string contains, as text.
fn in_string(string: &str) -> Option<String> {
    let text: String = serde_json::from_str(string).ok()?;
    serde_json::from_str::<Map<String, Value>>(&text).is_ok().then_some(text)
}
