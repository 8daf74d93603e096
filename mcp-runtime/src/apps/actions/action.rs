//! One action: a method of a service with its parameters and its names, or a built-in action for runs.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Value, json};

use super::{parameters::ParameterSet, visibility::OutputMarks};
use crate::{
    engine::{
        runs::RunStatus,
        tool::{
            ToolDefinition,
            bound::{BoundMethod, RunFn},
        },
    },
    wire::schema::{InputSchema, InputSettings, OutputSchema},
};

/// How many runs a page has, unless the caller sets it.
pub(super) const USUAL_PAGE: usize = 20;

/// An action in the form that generated code creates.
#[doc(hidden)]
#[derive(Debug)]
pub struct Action {
    pub(super) definition: ToolDefinition,
    hints: Vec<(&'static str, &'static str)>,
    inputs: Vec<EntryInputs>,
    aliases: Vec<ActionAlias>,
    is_list: bool,
    pub(super) is_run: bool,
    run: BoundMethod,
}

/// An alias of an action: a name that the model does not see, and the parameters that this name sets.
pub(super) type ActionAlias = (&'static str, Vec<(&'static str, Value)>);

/// The name of a parameter with the inputs of a catalog's entry, and the name of the parameter that names the entry.
pub(super) type EntryInputs = (&'static str, &'static str);

/// An action whose schema is checked and compiled.
#[derive(Debug)]
pub(super) struct CompiledAction {
    pub(super) name: Cow<'static, str>,
    pub(super) description: Cow<'static, str>,
    pub(super) parameters: ParameterSet,
    pub(super) aliases: Vec<ActionAlias>,
    pub(super) inputs: Vec<EntryInputs>,
    /// Whether the results are summaries, without the fields that are marked with `#[summary(skip)]`.
    pub(super) is_list: bool,
    pub(super) marks: OutputMarks,
    pub(super) output: Option<OutputSchema>,
    pub(super) kind: ActionKind,
}

/// An action for runs, which every tool with runs has.
#[derive(Clone, Copy, Debug)]
pub(super) enum BuiltIn {
    Status,
    Cancel,
    Restart,
    Runs,
}

/// How an action is run.
#[derive(Debug)]
pub(super) enum ActionKind {
    /// The caller gets the result of the method.
    Call(BoundMethod),
    /// The method runs in the background.
    Run(BoundMethod),
    BuiltIn(BuiltIn),
}

impl Action {
    /// Creates an action that calls `run` on this service.
    pub fn new<S: Send + Sync + 'static>(definition: ToolDefinition, service: &Arc<S>, run: RunFn<S>) -> Self {
        let run = BoundMethod::new(service, run);
        Self {
            definition,
            hints: Vec::new(),
            inputs: Vec::new(),
            aliases: Vec::new(),
            is_list: false,
            is_run: false,
            run,
        }
    }

    #[must_use]
    pub fn hint(mut self, parameter: &'static str, hint: &'static str) -> Self {
        self.hints.push((parameter, hint));
        self
    }

    /// Makes `parameter` hold the inputs of the catalog's entry whose name is the value of `name`.
    #[must_use]
    pub fn inputs_of(mut self, parameter: &'static str, name: &'static str) -> Self {
        self.inputs.push((parameter, name));
        self
    }

    #[must_use]
    pub fn alias(mut self, name: &'static str, sets: Vec<(&'static str, Value)>) -> Self {
        self.aliases.push((name, sets));
        self
    }

    #[must_use]
    pub fn list(mut self) -> Self {
        self.is_list = true;
        self
    }

    #[must_use]
    pub fn run(mut self) -> Self {
        self.is_run = true;
        self
    }

    /// Compiles the schemas. For each error, `problems` gets a message for the author.
    pub(super) fn compile(self, problems: &mut Vec<String>) -> Option<CompiledAction> {
        let Self { mut definition, hints, inputs, aliases, is_list, is_run, run } = self;
        let (name, description) = (definition.name, definition.description);
        if !definition.problems.is_empty() {
            problems.extend(definition.problems.iter().map(|problem| format!("action `{name}`: {problem}")));
            return None;
        }
        let output = definition.output_schema.take().unwrap_or_default();
        // The macro sees only the parameters that are not fields of a type with `#[params]`.
        if is_run && definition.input_schema.pointer("/properties/wait").is_some() {
            problems.push(format!(
                "action `{name}`: `wait` is a built-in parameter that makes a call wait for the end of the run; rename \
                 the field"
            ));
            return None;
        }
        if is_run {
            add_wait(&mut definition.input_schema);
        }
        let schema = InputSchema::of_tool(definition.input_schema, definition.reads, InputSettings::default());
        let schema = match schema {
            Ok(schema) => schema.with_aliases(definition.aliases),
            Err(reasons) => {
                problems.extend(reasons.iter().map(|reason| format!("action `{name}`: parameters: {reason}")));
                return None;
            }
        };
        let hints = hints.into_iter().map(|(name, hint)| (name.into(), hint.into())).collect();
        let parameters = ParameterSet { published: schema.to_value(), schema, hints };
        for (alias, sets) in &aliases {
            for problem in parameters.unfit(sets) {
                problems.push(format!("action `{name}`: alias `{alias}`: {problem}"));
            }
        }
        // The schema is not published, so its shape does not matter.
        let (marks, output) = (OutputMarks::of(&output), OutputSchema::new(output).ok());
        let kind = if is_run { ActionKind::Run(run) } else { ActionKind::Call(run) };
        Some(CompiledAction { name, description, parameters, aliases, inputs, is_list, marks, output, kind })
    }
}

impl CompiledAction {
    /// Returns `Some` if `name` is the name or an alias of the action. The slice contains the parameters that the alias
    /// sets.
    pub(super) fn called(&self, name: &str) -> Option<&[(&'static str, Value)]> {
        if self.name == name {
            return Some(&[]);
        }
        self.aliases.iter().find(|(alias, _)| *alias == name).map(|(_, sets)| &sets[..])
    }

    /// Returns the first sentence of the description.
    pub(super) fn summary(&self) -> &str {
        first_line(&self.description)
    }
}

/// Returns the built-in actions of a tool. `runs` are the names of the tool's actions that run in the background.
pub(super) fn built_in(runs: &[Cow<'static, str>]) -> Vec<CompiledAction> {
    let run_id = json!({ "type": "string", "description": "The id of the run." });
    let trace = json!({ "type": "boolean", "default": false, "description": "Also return what happened in the run." });
    let statuses: Vec<_> = RunStatus::ALL.iter().map(|status| status.as_str()).collect();
    let list = json!({
        "action": { "type": "string", "enum": runs, "description": "Only runs of this action." },
        "status": { "type": "string", "enum": statuses, "description": "Only runs with this status." },
        "limit": { "type": "integer", "minimum": 1, "maximum": 100, "default": USUAL_PAGE, "description": "How many runs." },
        "cursor": { "type": "string", "description": "The `next_cursor` of the previous page." },
    });
    let status = json!({ "run_id": run_id, "include_trace": trace, "wait": wait() });
    let mut status = built_in_action("status", "Shows a run: its status, inputs and outputs", &status, BuiltIn::Status);
    status.aliases.push(("result", vec![("include_trace", true.into())]));
    let cancel = json!({ "run_id": run_id });
    let restart = json!({ "run_id": run_id, "wait": wait() });
    vec![
        status,
        built_in_action("cancel", "Cancels a run", &cancel, BuiltIn::Cancel),
        built_in_action("restart", "Starts a run again with the same inputs", &restart, BuiltIn::Restart),
        built_in_action("runs", "Lists your runs, the newest first", &list, BuiltIn::Runs),
    ]
}

fn built_in_action(
    name: &'static str,
    description: &'static str,
    properties: &Value,
    built_in: BuiltIn,
) -> CompiledAction {
    let required: Vec<_> = properties.get("run_id").map(|_| "run_id").into_iter().collect();
    let schema = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    let schema = InputSchema::new(schema).expect("the schemas of built-in actions are valid");
    CompiledAction {
        name: name.into(),
        description: description.into(),
        parameters: ParameterSet { published: schema.to_value(), schema: schema.untyped(), hints: Vec::new() },
        aliases: Vec::new(),
        inputs: Vec::new(),
        is_list: false,
        marks: OutputMarks::default(),
        output: None,
        kind: ActionKind::BuiltIn(built_in),
    }
}

/// Adds the parameter `wait` to the schema of an action that runs in the background.
fn add_wait(schema: &mut Value) {
    if let Some(schema) = schema.as_object_mut()
        && let Some(properties) = schema.entry("properties").or_insert_with(|| json!({})).as_object_mut()
    {
        properties.insert("wait".to_owned(), wait());
    }
}

fn wait() -> Value {
    json!({ "type": "boolean", "default": false, "description": "Wait for the end of the run." })
}

/// Returns the first sentence of a text, without its period. If this sentence has several lines, returns only the first
/// line.
pub(super) fn first_line(text: &str) -> &str {
    let line = text.trim_start().lines().next().unwrap_or_default();
    line.split_once(". ").map_or(line, |(first, _)| first).trim_end_matches('.')
}
