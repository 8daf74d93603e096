//! Runs a call of a tool with actions.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{
    action::{ActionKind, CompiledAction},
    describe::describe,
    exit::ActionOutcome,
    failure::NotRun,
    input::ActionInput,
    set::{ActionSet, AliasValue, DESCRIBE, call_method, reads_json_strings},
    start::start,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, running::CallFuture},
        tool::bound::BoundMethod,
    },
    wire::protocol::result::CallToolResult,
};

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
                Ok(description) => ActionOutcome::BuiltIn(DESCRIBE, description),
                Err(not_run) => self.not_run(&call, DESCRIBE, not_run)?,
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
                Err(not_run) => Err(not_run),
            },
            ActionKind::Run(_) => start(self, index, call, params, None).await,
            ActionKind::BuiltIn(built_in) => built_in.run(self, action, call, params).await,
        };
        outcome.or_else(|not_run| self.not_run(call, &action.name, not_run))
    }

    /// Checks the parameters and begins the action.
    async fn begin(
        &self,
        action: &CompiledAction,
        method: &BoundMethod,
        call: &Call,
        params: Map<String, Value>,
    ) -> Result<CallFuture, NotRun> {
        let checked = Value::Object(self.checked(action, call, params).await?).to_string();
        Ok(call_method(action, method, call.clone(), &checked)?)
    }

    fn not_run(&self, call: &Call, action: &str, reason: NotRun) -> Result<ActionOutcome<'_>, ToolError> {
        match reason {
            NotRun::Failed(failure) => Ok(ActionOutcome::Failed(failure)),
            NotRun::Catalog(error) => self.failed(call, action, error),
        }
    }
}
