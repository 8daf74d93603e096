//! Builds the definitions of tools, prompts and resources from their types.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};

use super::{Need, PromptDefinition, ResourceDefinition, Takes, ToolDefinition, ViewDefinition};
use crate::wire::schema::{has_parts, parameter::input_schema::generator};

/// Creates the definition of a tool.
#[track_caller]
pub fn definition(
    name: &'static str,
    description: &'static str,
    takes: Takes,
    needs: &[Need],
    output: fn(&mut SchemaGenerator) -> Option<Schema>,
) -> ToolDefinition {
    let mut definition = ToolDefinition::new(name, description);
    match takes.try_schema() {
        Ok(schema) => definition.input_schema = schema,
        Err(problem) => definition.problems.push(problem),
    }
    definition.typed = true;
    // The macro has already rejected parameters with the same name.
    let is_plain = matches!(takes, Takes::Parameters([_, ..])) && !has_parts(&definition.input_schema);
    definition.reads = (!is_plain).then_some(takes);
    for (alias, name) in takes.aliases() {
        definition = definition.alias(alias, name);
    }
    definition = with_needs(definition, needs);
    let output = output(&mut generator(SchemaSettings::draft2020_12().for_serialize()));
    definition.output_schema = output.map(Schema::to_value);
    definition
}

/// Creates the definition of a prompt.
#[track_caller]
pub fn prompt_definition(name: &'static str, description: &'static str, needs: &[Need]) -> PromptDefinition {
    PromptDefinition::new(name, description).with(|definition| with_needs(definition, needs))
}

/// Creates the definition of a resource.
#[track_caller]
pub fn resource_definition(
    uri: &'static str,
    name: &'static str,
    description: &'static str,
    needs: &[Need],
) -> ResourceDefinition {
    ResourceDefinition::new(uri, name, description).with(|definition| with_needs(definition, needs))
}

/// Creates the definition of a view.
#[track_caller]
pub const fn view_definition(uri: &'static str, name: &'static str, html: &'static str) -> ViewDefinition {
    ViewDefinition::new(uri, name, html)
}

fn with_needs(definition: ToolDefinition, needs: &[Need]) -> ToolDefinition {
    needs.iter().fold(definition, |definition, need| match need {
        Need::Nothing => definition,
        Need::State(state) => definition.needs_state(*state),
        Need::Forms(add) => add(definition),
    })
}
