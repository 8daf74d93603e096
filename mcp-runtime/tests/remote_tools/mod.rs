//! `remote_tools!`: the types accept what the schemas accept, and write it as the schemas say.

mod everything;
mod outputs;
mod own_manifest;
mod shapes;

use mcp_runtime::remote::RemoteTool;
use serde_json::{Value, json};

/// Asserts that these arguments are written as expected, and that the tool's schema in this list accepts them.
#[track_caller]
fn assert_written<T: RemoteTool>(list: &str, arguments: &T, expected: &Value) {
    let written = serde_json::to_value(arguments).unwrap();
    assert_eq!(written, *expected);
    assert_accepted::<T>(list, &written);
}

/// Asserts that the tool's schema in this list accepts the arguments.
#[track_caller]
fn assert_accepted<T: RemoteTool>(list: &str, arguments: &Value) {
    let list: Value = serde_json::from_str(list).unwrap();
    let tool = list["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == T::NAME).unwrap();
    let schema = tool.get("inputSchema").cloned().unwrap_or_else(|| json!(true));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(arguments).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "`{}` with {arguments}: {errors:?}", T::NAME);
}
