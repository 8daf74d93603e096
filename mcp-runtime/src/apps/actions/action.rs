//! One action: a method of a service, with its parameters and its names.

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value};

use super::{
    built_in::{BuiltIn, add_wait},
    marks::OutputMarks,
};
use crate::{
    engine::tool::{
        ToolDefinition,
        bound::{BoundMethod, RunFn},
    },
    wire::schema::{InputSchema, InputSettings, OutputSchema, Violation, Violations},
};

/// An action in the form that generated code creates.
#[doc(hidden)]
#[derive(Debug)]
pub struct Action {
    pub(super) definition: ToolDefinition,
    hints: Vec<(&'static str, &'static str)>,
    inputs: Vec<EntryInputs>,
    aliases: Vec<ActionAlias>,
    is_list: bool,
    is_run: bool,
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

/// How an action is run.
#[derive(Debug)]
pub(super) enum ActionKind {
    /// The caller gets the result of the method.
    Call(BoundMethod),
    /// The method runs in the background.
    Run(BoundMethod),
    BuiltIn(BuiltIn),
}

/// The parameters of an action or of an entry of a catalog.
#[derive(Debug)]
pub(super) struct ParameterSet {
    pub(super) schema: InputSchema,
    /// The published schema, from which descriptions and errors are made.
    pub(super) published: Value,
    pub(super) hints: Vec<(Cow<'static, str>, Cow<'static, str>)>,
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

    pub(super) fn name(&self) -> Cow<'static, str> {
        self.definition.name.clone()
    }

    pub(super) fn is_run(&self) -> bool {
        self.is_run
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

impl ParameterSet {
    /// Returns the schemas of the parameters.
    pub(super) fn properties(&self) -> impl Iterator<Item = (&str, &Value)> {
        let properties = self.published.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, schema)| (&**name, schema))
    }

    pub(super) fn property(&self, name: &str) -> Option<&Value> {
        self.published.get("properties")?.get(name)
    }

    pub(super) fn is_required(&self, name: &str) -> bool {
        let required = self.published.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|one| one == name))
    }

    pub(super) fn hint(&self, parameter: &str) -> Option<&str> {
        self.hints.iter().find(|(name, _)| name == parameter).map(|(_, hint)| &**hint)
    }

    /// Returns the errors of these values. Missing parameters do not count as errors.
    fn unfit(&self, sets: &[(&'static str, Value)]) -> Vec<String> {
        let values: Map<_, _> = sets.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let checked = self.schema.check(&Value::Object(values).to_string());
        let is_of = |violation: &&Violation| {
            let argument = violation.place.argument();
            argument.is_some_and(|(argument, _)| sets.iter().any(|(name, _)| *name == argument))
        };
        let violations = checked.as_ref().err();
        violations.into_iter().flat_map(Violations::iter).filter(is_of).map(Violation::to_string).collect()
    }
}

/// Returns the first sentence of a text, without its period. If this sentence has several lines, returns only the first
/// line.
pub(super) fn first_line(text: &str) -> &str {
    let line = text.trim_start().lines().next().unwrap_or_default();
    line.split_once(". ").map_or(line, |(first, _)| first).trim_end_matches('.')
}
