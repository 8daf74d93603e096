//! Warnings about tools that some hosts cannot offer to their model.

use super::registered::RegisteredTool;

/// The maximum number of places that a warning lists.
const LISTED: usize = 8;

/// Returns the warnings about these tools: one about names, and one about schemas.
pub(crate) fn of<'t>(tools: impl Iterator<Item = &'t RegisteredTool>) -> Vec<String> {
    let (mut names, mut schemas) = (Vec::new(), Vec::new());
    for tool in tools {
        let name = tool.definition.name();
        if !is_portable(name) {
            names.push(format!("`{name}`"));
        }
        schemas.extend(tool.schema.gaps().iter().map(|gap| gap.of_tool(name)));
    }
    let names = listed(names).map(|names| {
        format!(
            "hosts whose model API allows only names of up to 64 letters, digits, `_` and `-` drop or rename these tools: \
             {names}"
        )
    });
    let schemas = listed(schemas).map(|places| {
        format!(
            "hosts whose model API knows only a part of JSON Schema show their model less than the tools accept: \
             {places}. The documentation of `mcp_runtime::schemas` says what each host does"
        )
    });
    names.into_iter().chain(schemas).collect()
}

fn is_portable(name: &str) -> bool {
    name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

fn listed(mut places: Vec<String>) -> Option<String> {
    let more = places.len().saturating_sub(LISTED);
    places.truncate(LISTED);
    if more > 0 {
        places.push(format!("and {more} more"));
    }
    (!places.is_empty()).then(|| places.join(", "))
}
