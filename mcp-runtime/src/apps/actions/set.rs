//! The actions of one type: they are found by their names, checked and run.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Value, json};

use super::{
    action::{Action, ActionKind, BuiltIn, CompiledAction, built_in},
    catalog::{AnyCatalog, Catalog, ParamsError, check_inputs},
    failure::{ActionFailure, FailureKind, ParameterProblem, ProblemKind, problems},
    output_filter::{ActionOutcome, OutputFilter},
    report,
};
use crate::{
    base::error::{ToolError, UnserializableOutput},
    engine::{
        call::{Call, running::CallFuture},
        runs::{Runs, RunsAsTasks, TaskResultFn, manager::RunManager},
        tool::{Arguments, ToolDefinition, bound::BoundMethod},
    },
    wire::protocol::{capability::Capability, result::CallToolResult},
};

pub(super) const DESCRIBE: &str = "describe";

/// The actions of one type, bound to a value of the type.
#[doc(hidden)]
#[derive(Debug)]
pub struct ActionSet {
    definition: ToolDefinition,
    pub(super) actions: Vec<CompiledAction>,
    pub(super) catalog: Option<Arc<dyn AnyCatalog>>,
    pub(super) instructions: Option<&'static str>,
    pub(super) exit: OutputFilter,
    /// The table of background runs. `None` if no action runs in the background.
    pub(super) runs: Option<Arc<RunManager>>,
}

impl ActionSet {
    /// Creates the set. `definition` is the definition of the tool, without the parts that depend on the actions.
    pub fn new(mut definition: ToolDefinition, actions: Vec<Action>) -> Self {
        let mut problems = Vec::new();
        for action in &actions {
            let own = &action.definition;
            definition.states.extend_from_slice(&own.states);
            for form in &own.forms {
                if !definition.forms.iter().any(|known| known.key == form.key) {
                    definition.forms.push(*form);
                }
            }
            definition.multi_round = definition.multi_round.or(own.multi_round);
        }
        // Clients that cannot ask their user can still call the actions that ask nothing.
        if !definition.forms.is_empty() && !definition.requires.contains(&Capability::Elicitation) {
            definition.optional.push(Capability::Elicitation);
        }
        let runs: Vec<_> =
            actions.iter().filter(|action| action.is_run).map(|action| action.definition.name.clone()).collect();
        let built_in = if runs.is_empty() { Vec::new() } else { built_in(&runs) };
        let own = actions.into_iter().filter_map(|action| action.compile(&mut problems));
        let actions: Vec<_> = own.chain(built_in).collect();
        definition.problems.extend(problems);
        let internal = actions.iter().flat_map(|action| action.marks.internal_names()).collect();
        let runs = (!runs.is_empty()).then(|| Arc::new(RunManager::new(&definition.name, Runs::default())));
        let exit = OutputFilter { internal, is_open: false };
        Self { definition, actions, catalog: None, instructions: None, exit, runs }
    }

    /// Lets results leave as they are: the actions are those of another service, whose names with `_` are not internal.
    #[cfg(feature = "openapi")]
    pub(crate) fn open(mut self) -> Self {
        self.exit.is_open = true;
        self
    }

    #[must_use]
    pub fn catalog<C: Catalog>(mut self, catalog: &Arc<C>) -> Self {
        self.catalog = Some(Arc::clone(catalog) as _);
        self
    }

    /// Sets how runs are stored. Returns `false` if no action runs in the background.
    pub(super) fn set_runs(&mut self, settings: Runs) -> bool {
        if self.runs.is_none() {
            return false;
        }
        self.runs = Some(Arc::new(RunManager::new(&self.definition.name, settings)));
        true
    }

    #[must_use]
    pub fn instructions(mut self, text: &'static str) -> Self {
        self.instructions = Some(text);
        self
    }

    /// Returns the names of all actions, including `describe`. Aliases are left out, because models do not see them.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.actions.iter().map(|action| &*action.name).chain([DESCRIBE])
    }

    pub(super) fn describe_summary(&self) -> &'static str {
        match self.catalog {
            Some(_) => "Shows all actions and catalog entries, or the parameters of one `action` or one entry (`name`)",
            None => "Shows all actions, or the parameters of one `action`",
        }
    }

    /// Returns the definition of the tool. Each text in `more` is added to the instructions.
    pub(super) fn definition(self: &Arc<Self>, more: &[String]) -> ToolDefinition {
        let mut definition = self.definition.clone();
        let lines = self.actions.iter().map(|action| format!("\n- {}: {}", action.name, action.summary()));
        let actions = format!("The operation:{}\n- {DESCRIBE}: {}", lines.collect::<String>(), self.describe_summary());
        definition.input_schema = json!({
            "type": "object",
            "properties": {
                "action": { "type": "string", "enum": self.names().collect::<Vec<_>>(), "description": actions },
                "params": {
                    "type": "object",
                    "description": "The parameters of the action, as an object. `describe` shows them.",
                    "properties": {},
                    "additionalProperties": true,
                },
            },
            "required": ["action"],
            "additionalProperties": false,
        });
        definition.checks_itself = true;
        let set = Arc::clone(self);
        let result: TaskResultFn = Arc::new(move |run| {
            let (report, has_failed) = (report::full(run, false), run.read_details().error.is_some());
            set.exit.leave(ActionOutcome::Report { action: &run.action, report, has_failed }, Vec::new())
        });
        definition.runs = self.runs.clone().map(|manager| RunsAsTasks { manager, result });
        definition.guide = Some(self.guide(more));
        definition
    }

    /// Returns the index of the action with this name or alias, and the parameters that the alias sets.
    pub(super) fn find(&self, name: &str) -> Result<(usize, &[AliasValue]), ActionFailure> {
        let found = self.actions.iter().enumerate().find_map(|(index, action)| Some((index, action.called(name)?)));
        found.ok_or_else(|| {
            let known = self.names().map(str::to_owned).collect();
            ActionFailure::unknown(FailureKind::UnknownAction, "action", name, known)
        })
    }

    /// Returns whether a call of this action begins a run.
    pub(super) fn begins_run(&self, action: &str) -> bool {
        let kind = self.find(action).map(|(index, _)| &self.actions[index].kind);
        matches!(kind, Ok(ActionKind::Run(_) | ActionKind::BuiltIn(BuiltIn::Restart)))
    }

    /// Checks the parameters, a JSON object, and those that hold the inputs of an entry with the catalog.
    pub(super) async fn checked<'p>(
        &self,
        action: &CompiledAction,
        call: &Call,
        params: &'p str,
    ) -> Result<Cow<'p, str>, ToolError> {
        let checked = check(action, params, reads_json_strings(call))?;
        let Some(catalog) = self.catalog.as_ref().filter(|_| !action.inputs.is_empty()) else { return Ok(checked) };
        let mut checked = serde_json::from_str(&checked).unwrap_or_default();
        check_inputs(&**catalog, &action.inputs, &mut checked).await?;
        Ok(Value::Object(checked).to_string().into())
    }

    /// Converts the result of an action's method to the outcome of the call.
    pub(super) fn outcome<'s>(
        &'s self,
        action: &'s CompiledAction,
        call: &Call,
        result: Result<CallToolResult, ToolError>,
    ) -> Result<ActionOutcome<'s>, ToolError> {
        let result = match result {
            Ok(result) => result,
            Err(error) => return self.failed(call, &action.name, error),
        };
        let lost = result.structured.as_ref().and_then(|text| action.output.as_ref()?.lost_number(text));
        Ok(match lost {
            Some(place) => {
                let message = format!("the result has a number that JSON cannot represent: {place}");
                ActionOutcome::Failed(ActionFailure::of_action(&action.name, message))
            }
            None => ActionOutcome::Done { action, result },
        })
    }

    /// Returns the outcome of an action that has failed.
    pub(super) fn failed(&self, call: &Call, action: &str, error: ToolError) -> Result<ActionOutcome<'_>, ToolError> {
        let of_params = || error.downcast_ref().map(|ParamsError(failure)| failure);
        if let Some(failure) = error.downcast_ref().or_else(of_params) {
            return Ok(ActionOutcome::Failed(ActionFailure::clone(failure)));
        }
        let message = match error.downcast_ref::<UnserializableOutput>() {
            Some(error) => error.to_string(),
            None => match call.0.map_error(&error) {
                Ok(result) => result.first_text().to_owned(),
                // An error of the protocol, such as a missing capability of the client.
                Err(_) => return Err(error),
            },
        };
        Ok(ActionOutcome::Failed(ActionFailure::of_action(action, message)))
    }
}

pub(super) type AliasValue = (&'static str, Value);

/// Returns whether the server of this call reads JSON in strings.
pub(super) fn reads_json_strings(call: &Call) -> bool {
    call.registered().schema.reads_json_strings()
}

/// Checks the parameters, a JSON object. `reads_json_strings` states whether a string that contains JSON is read as this
/// JSON, where the parameter cannot be a string.
pub(super) fn check<'p>(
    action: &CompiledAction,
    params: &'p str,
    reads_json_strings: bool,
) -> Result<Cow<'p, str>, ActionFailure> {
    let set = &action.parameters;
    let checked = set.checked(params, reads_json_strings);
    checked.map_err(|violations| ActionFailure::params(&action.name, problems(set, params, &violations)))
}

/// Begins the method of an action with checked parameters.
pub(super) fn call_method(
    action: &CompiledAction,
    method: &BoundMethod,
    call: Call,
    checked: &str,
) -> Result<CallFuture, ActionFailure> {
    method.run(call, Arguments::new(checked, &action.parameters.schema)).map_err(|unread| {
        let problem = ParameterProblem::new("params", ProblemKind::Other, unread.to_string());
        ActionFailure::params(&action.name, vec![problem])
    })
}
