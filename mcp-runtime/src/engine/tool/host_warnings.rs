//! Warnings about tools that some hosts cannot offer to their model, and the names that every model API accepts.

use super::registered::RegisteredTool;

/// The maximum number of places that a warning lists.
const LISTED: usize = 8;

/// Returns the warnings about these tools: one about names, and one about schemas.
pub(crate) fn of<'t>(tools: impl Iterator<Item = &'t RegisteredTool>) -> Vec<String> {
    let (mut names, mut schemas) = (Vec::new(), Vec::new());
    for tool in tools {
        let name = tool.definition.name();
        if !is_name(name) {
            names.push(format!("`{name}`"));
        }
        schemas.extend(tool.schema.gaps.iter().map(|gap| gap.of_tool(name)));
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
             {places}. The documentation of `mcp_runtime::guide::schemas` says what each host does"
        )
    });
    names.into_iter().chain(schemas).collect()
}

fn listed(mut places: Vec<String>) -> Option<String> {
    let more = places.len().saturating_sub(LISTED);
    places.truncate(LISTED);
    if more > 0 {
        places.push(format!("and {more} more"));
    }
    (!places.is_empty()).then(|| places.join(", "))
}

/// The maximum length of a name that every model API accepts, in characters.
pub(crate) const LONGEST_NAME: usize = 64;

fn is_allowed(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

/// Converts a text to a valid name: cuts it to the maximum length, and replaces each invalid character by `_`.
pub(crate) fn as_name(name: &str) -> String {
    name.chars().take(LONGEST_NAME).map(|letter| if is_allowed(letter) { letter } else { '_' }).collect()
}

/// Returns whether every model API accepts this name of a tool.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_allowed)
}
