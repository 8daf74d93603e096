//! The tool `call_tool`: calls another tool of the server.
//!
//! A request of a client never runs it, if it names a tool: the server then runs the call of that tool. So questions,
//! progress, tasks, errors and layers are those of that tool. This tool answers requests that name none, and calls it
//! for other tools of the server.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};

use super::{
    CALL_TOOL, SEARCH_TOOLS,
    searchable::{is_found, server_of},
    text::shortened,
};
use crate::{
    base::error::{Result as ToolOutcome, ToolError},
    engine::{
        call::{Call, Ctx, operation::Operation, running::CallFuture},
        tool::{Arguments, ArgumentsError, Tool, ToolDefinition},
    },
    serve::server::listing::Viewer,
    wire::{
        protocol::{error::CallRefusal, result::CallToolResult, view::ToolVisibility},
        schema::nearest::nearest,
    },
};

/// The length to which an unknown name is shortened in an error, in bytes.
const LONGEST_NAME: usize = 200;

/// The tool `call_tool`.
pub(super) struct CallFound;

#[derive(Deserialize)]
struct CallArguments {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

#[derive(Deserialize)]
struct ForwardedArguments<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

impl Tool for CallFound {
    fn definition(&self) -> ToolDefinition {
        let description = "Calls a tool that `search_tools` has found. The result is the one of that tool.";
        let mut definition = ToolDefinition::new(CALL_TOOL, description).input_schema(json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "description": "The name of the tool, as `search_tools` returns it." },
                "arguments": {
                    "type": "object",
                    "description": "The arguments of the tool, which fit its input schema.",
                },
            },
            "required": ["name"],
        }));
        // A view could otherwise call tools that are only for models.
        definition = definition.visibility(ToolVisibility::Model);
        definition.forwards = Some(forwarded);
        definition
    }

    fn call(&self, call: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let CallArguments { name, arguments } = arguments.read()?;
        Ok(Box::pin(async move {
            if let Some(refused) = refused(&call, &name) {
                return refused;
            }
            let ctx: Ctx = call.context();
            ctx.call(name, arguments).await
        }))
    }
}

/// Reads the arguments of a call that names another tool.
fn forwarded(arguments: &str) -> Option<(Cow<'_, str>, &str)> {
    let ForwardedArguments { name, arguments } = serde_json::from_str(arguments).ok()?;
    let arguments = arguments.map_or("{}", RawValue::get);
    (!is_own(&name) && arguments.starts_with('{')).then_some((name, arguments))
}

fn is_own(name: &str) -> bool {
    [SEARCH_TOOLS, CALL_TOOL].contains(&name)
}

/// Returns what the call results in if it names no tool that can be called.
fn refused(call: &Call, name: &str) -> Option<ToolOutcome<CallToolResult>> {
    if is_own(name) {
        return Some(Err(ToolError::from(format!(
            "`{CALL_TOOL}` calls the tools that `{SEARCH_TOOLS}` finds; call `{name}` directly"
        ))));
    }
    let server = server_of(call);
    if server.registry.find(name).is_some_and(|tool| tool.definition.is_for_models()) {
        return None;
    }
    // Its server may answer soon.
    if server.loads.as_ref().is_some_and(|loads| loads.not_loaded(name).is_some()) {
        return Some(Err(CallRefusal(server.unknown("tool", name)).into()));
    }
    let (client, principal) = (call.0.client(), call.0.principal());
    let viewer = Viewer::new(server, &client, principal.as_ref(), call.0.is_remote);
    let tools = server.registry.read().list(Operation::CallTool).items.clone();
    let found = tools.iter().filter(|tool| is_found(tool, &viewer)).map(|tool| &*tool.definition.name);
    let meant = match nearest(name, found) {
        Some(meant) => format!("did you mean `{meant}`? Find others with `{SEARCH_TOOLS}`"),
        None => format!("find one with `{SEARCH_TOOLS}`"),
    };
    Some(Err(ToolError::from(format!(
        "this server has no tool `{}`; {meant}",
        shortened(name, LONGEST_NAME).escape_debug()
    ))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_call_of_another_tool_as_it_was_sent() {
        let text = r#"{"name":"sh\u006fp.order","arguments":{"big": 12345678901234567890123},"more":1}"#;
        assert_eq!(forwarded(text), Some(("shop.order".into(), r#"{"big": 12345678901234567890123}"#)));
        assert_eq!(forwarded(r#"{"name":"stock"}"#), Some(("stock".into(), "{}")));
        assert_eq!(forwarded(r#"{"name":"stock","arguments":null}"#), Some(("stock".into(), "{}")));
    }

    #[test]
    fn the_tool_itself_answers_what_names_no_other_tool() {
        for text in [
            "{}",
            "[]",
            r#"{"name":1}"#,
            r#"{"name":"call_tool","arguments":{}}"#,
            r#"{"name":"search_tools","arguments":{}}"#,
        ] {
            assert_eq!(forwarded(text), None, "{text}");
        }
    }
}
