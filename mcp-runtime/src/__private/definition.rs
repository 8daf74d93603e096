//! Builds the definition of a tool from its types.

use schemars::{Schema, SchemaGenerator, generate::SchemaSettings};

use super::{Need, Takes, ToolDefinition};
use crate::wire::schema::{has_parts, parameter::takes::generator};

/// Creates the definition of a tool.
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
    for need in needs {
        match need {
            Need::Nothing => {}
            Need::State(state) => definition.states.push(*state),
            Need::Forms(add) => definition = add(definition),
        }
    }
    let output = output(&mut generator(SchemaSettings::draft2020_12().for_serialize()));
    definition.output_schema = output.map(Schema::to_value);
    definition
}
