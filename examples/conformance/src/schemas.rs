//! Tools that test how schemas are published.

use mcp_runtime::{
    Call, CallToolResult, Tool,
    call::CallFuture,
    prelude::*,
    tool::{Arguments, ArgumentsError, ToolDefinition},
};
use serde_json::{Value, json};

/// Repeats a value, which an HTTP client sends in the header `Mcp-Param-Value` as well.
#[mcp_tool(read_only)]
pub(crate) async fn test_custom_header(
    /// What to repeat.
    #[schemars(extend("x-mcp-header" = "Value"))]
    value: String,
) -> String {
    format!("The value is {value}")
}

/// A tool whose schema is published unchanged. `#[mcp_tool]` writes no schema like it: its schemas have no references,
/// and no `allOf` or `if` at the root, because model APIs reject these.
pub(crate) struct JsonSchemaTool;

impl Tool for JsonSchemaTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::new("json_schema_2020_12_tool", "Takes a name, an address, and a way to get in touch.")
            .input_schema_verbatim(contact())
            // The suite prescribes this schema.
            .allow("rejected-schema")
            .allow("reduced-schema")
            .allow("undescribed-parameter")
            .read_only(true)
    }

    fn call(&self, _: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let contact: Value = arguments.read()?;
        Ok(Box::pin(async move { Ok(CallToolResult::new([Content::text(format!("The contact is {contact}"))])) }))
    }
}

/// Keywords of JSON Schema 2020-12 that a server can easily lose when it publishes a schema.
fn contact() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
