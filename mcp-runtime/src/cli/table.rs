//! `tools`: lists all tools.

use super::{
    layout::{columns, wrap},
    page,
    parameter::CliParameter,
};
use crate::tool::{registered::RegisteredTool, registry::Registry};

/// Returns a table with the name, description, parameters and annotations of each tool.
pub(super) fn table(registry: &Registry, program: &str, width: usize) -> String {
    let mut rows = vec![["TOOL", "WHAT IT DOES", "PARAMETERS", "HINTS"].map(ToOwned::to_owned)];
    rows.extend(registry.iter().map(row));
    if rows.len() == 1 {
        return "This server has no tools.\n".to_owned();
    }
    let more = format!("* required. All about a tool: `{program} tools TOOL`. Call it: `{program} call TOOL`.");
    format!("{}\n{}\n", columns(&rows, width), wrap(&more, width).join("\n"))
}

fn row(tool: &RegisteredTool) -> [String; 4] {
    let parameter = |it: CliParameter<'_>| format!("{}{}", it.name, if it.required { "*" } else { "" });
    let schema = tool.schema.to_value();
    let parameters: Vec<_> = CliParameter::of_object(&schema).into_iter().map(parameter).collect();
    let definition = &tool.definition;
    [
        definition.name.to_string(),
        page::first_sentence(&definition.description).to_owned(),
        parameters.join(", "),
        page::hints(tool).join(", "),
    ]
}
