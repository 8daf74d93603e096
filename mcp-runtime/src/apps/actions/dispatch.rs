//! Reads the input of a tool with actions, an object with `action` and `params`, and runs the action.

use std::sync::Arc;

use serde_json::{Map, Value};

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
        tool::bound::BoundMethod,
    },
    wire::{protocol::result::CallToolResult, schema::nearest::nearest},
};

/// The input of a tool with actions, before the parameters are checked.
#[derive(Debug)]
struct ActionInput {
    action: String,
    params: Map<String, Value>,
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
            match describe(&self, &params).await {
                Ok(report) => ActionOutcome::Report { action: DESCRIBE, report, has_failed: false },
                Err(error) => self.failed(&call, DESCRIBE, error)?,
            }
        } else {
            match self.find(&action) {
                Err(failure) => ActionOutcome::Failed(failure),
                Ok((index, sets)) => self.run(index, sets, &call, params).await?,
            }
        };
        Ok(self.exit.leave(outcome, warnings))
    }

    /// Runs the action at this index. `sets` are the parameters that an alias sets.
    async fn run(
        self: &Arc<Self>,
        index: usize,
        sets: &[AliasValue],
        call: &Call,
        mut params: Map<String, Value>,
    ) -> Result<ActionOutcome<'_>, ToolError> {
        for (name, value) in sets {
            params.entry(*name).or_insert_with(|| value.clone());
        }
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
        params: Map<String, Value>,
    ) -> Result<CallFuture, ToolError> {
        let checked = Value::Object(self.checked(action, call, params).await?).to_string();
        Ok(call_method(action, method, call.clone(), &checked)?)
    }
}

impl ActionInput {
    /// Reads the input. `reads_json_strings` states whether `params` can be a string that contains an object.
    ///
    /// # Errors
    /// Fails if the text is not such an input.
    fn read(text: &str, set: &ActionSet, reads_json_strings: bool) -> Result<Self, ActionFailure> {
        let invalid = |message: String| ActionFailure::new(FailureKind::InvalidInput, message);
        let input: Value = serde_json::from_str(text).map_err(|error| invalid(format!("not valid JSON: {error}")))?;
        let Value::Object(mut input) = input else {
            return Err(invalid(format!(
                "the input must be an object with `action` and `params` (got {})",
                shown(&input)
            )));
        };
        let names = set.names().collect::<Vec<_>>().join(", ");
        let action = match input.remove("action") {
            Some(Value::String(action)) => action,
            Some(other) => return Err(invalid(format!("`action` must be one of: {names} (got {})", shown(&other)))),
            None => {
                let near = nearest("action", input.keys().map(String::as_str));
                let near = near.map(|near| format!("; did you write it as `{near}`?")).unwrap_or_default();
                return Err(invalid(format!("`action` is required: one of: {names}{near}")));
            }
        };
        let mut warnings = Vec::new();
        let params = match input.remove("params") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(params)) => params,
            Some(other) => match in_string(&other).filter(|_| reads_json_strings) {
                Some(params) => {
                    warnings.push("`params` was a string that holds JSON; send it as an object".to_owned());
                    params
                }
                None => return Err(invalid(format!("`params` must be an object (got {})", shown(&other)))),
            },
        };
        match input.keys().next() {
            None => Ok(Self { action, params, warnings }),
            Some(other) => Err(invalid(format!(
                "`{other}` is not allowed beside `action` and `params`; the parameters of an action belong in `params`: \
                 {{\"action\": {}, \"params\": {{{}: …}}}}",
                Value::from(action),
                Value::from(other.as_str()),
            ))),
        }
    }
}

/// Returns the JSON object that a string contains.
fn in_string(value: &Value) -> Option<Map<String, Value>> {
    match serde_json::from_str(value.as_str()?).ok()? {
        Value::Object(params) => Some(params),
        _ => None,
    }
}
