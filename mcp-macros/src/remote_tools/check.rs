//! Reads the file, and checks that it is a list of tools.

use std::collections::HashSet;

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
