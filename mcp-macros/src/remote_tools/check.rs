//! Reads the file, and checks that it is a list of tools.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use syn::LitStr;

use crate::errors::Errors;

/// A tool of the other server.
pub(super) struct RemoteTool {
    pub(super) name: String,
    pub(super) description: Option<String>,
    /// The schema of the arguments. It is `null` if the file has none.
    pub(super) input: Value,
    /// The schema of the structured content. It is `null` if the file has none.
    pub(super) output: Value,
}

/// Returns where the file is. Its path is relative to the source file, as in `include_str!`.
pub(super) fn place(file: &LitStr) -> Option<PathBuf> {
    let source = file.span().unwrap().local_file()?;
    Some(source.parent()?.join(file.value()))
}

/// Returns the text of the file. The error is a message for the author, who has written the path as `written`.
pub(super) fn text(place: &Path, written: &str) -> Result<String, String> {
    let text = fs::read_to_string(place).map_err(|error| {
        let place = place.display();
        format!(
            "cannot read `{written}`, whose path is relative to this source file, so the file is `{place}`: {error}"
        )
    })?;
    // Editors of Windows write a byte order mark, which JSON does not allow.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Returns the tools, if the file is a list of tools. Reports each tool that has no name, or the name of another one.
pub(super) fn tools(errors: &mut Errors, file: &LitStr, text: Result<String, String>) -> Option<Vec<RemoteTool>> {
    let written = file.value();
    let listed = text.and_then(|text| list(&text, &written)).map_err(|message| errors.push(file, message)).ok()?;
    let mut names = HashSet::new();
    let mut tools = Vec::with_capacity(listed.len());
    for (index, mut tool) in listed.into_iter().enumerate() {
        let Some(name) = tool["name"].as_str().filter(|name| !name.is_empty()).map(str::to_owned) else {
            let number = index + 1;
            errors.push(
                file,
                format_args!(
                    "tool {number} in `tools` of `{written}` has no `name`; save the list of the server again"
                ),
            );
            continue;
        };
        if !names.insert(name.clone()) {
            errors.push(file, format_args!("`{written}` has two tools with the name `{name}`; remove one of them"));
            continue;
        }
        let description = tool["description"].as_str().map(str::to_owned);
        let [input, output] = ["inputSchema", "outputSchema"].map(|key| tool.get_mut(key).map(Value::take));
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        tools.push(RemoteTool { name, description, input, output });
    }
    Some(tools)
}

fn list(text: &str, written: &str) -> Result<Vec<Value>, String> {
    let mut document: Value =
        serde_json::from_str(text).map_err(|error| format!("`{written}` is not JSON: {error}; correct the file"))?;
    match document.get_mut("tools").map(Value::take) {
        Some(Value::Array(tools)) => Ok(tools),
        _ => Err(format!(
            "`{written}` has no list `tools`; save what the command `manifest` of the server prints, or \
             `{{\"tools\": […]}}` with the tools from its reply to `tools/list`"
        )),
    }
}
