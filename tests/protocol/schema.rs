//! The official schemas of all revisions.
//!
//! The official schemas allow unknown members. This module forbids unknown members in the messages of a tools server,
//! so that a member of a later revision is a mistake.

use std::{
    collections::HashMap,
    sync::{Mutex, OnceLock},
};

use jsonschema::Validator;
use mcp_runtime::Revision;
use serde_json::{Value, json};

/// The definitions of what a tools server sends. Only members that the revision defines are allowed in them.
const CLOSED: &[&str] = &[
    "Annotations",
    "AudioContent",
    "BlobResourceContents",
    "BooleanSchema",
    "CallToolResult",
    "CompleteResult",
    "DiscoverResult",
    "ElicitRequest",
    "ElicitRequestFormParams",
    "ElicitRequestURLParams",
    "EmbeddedResource",
    "EnumSchema",
    "Error",
    "GetPromptResult",
    "Icon",
    "ImageContent",
    "Implementation",
    "InitializeResult",
    "JSONRPCError",
    "JSONRPCErrorResponse",
    "JSONRPCResponse",
    "JSONRPCResultResponse",
    "LegacyTitledEnumSchema",
    "ListPromptsResult",
    "ListResourceTemplatesResult",
    "ListResourcesResult",
    "ListToolsResult",
    "LoggingMessageNotification",
    "LoggingMessageNotificationParams",
    "NumberSchema",
    "ProgressNotification",
    "ProgressNotificationParams",
    "Prompt",
    "PromptArgument",
    "PromptMessage",
    "ReadResourceResult",
    "Resource",
    "ResourceLink",
    "ResourceTemplate",
    "ServerCapabilities",
    "StringSchema",
    "TextContent",
    "TextResourceContents",
    "TitledMultiSelectEnumSchema",
    "TitledSingleSelectEnumSchema",
    "Tool",
    "ToolAnnotations",
    "UntitledMultiSelectEnumSchema",
    "UntitledSingleSelectEnumSchema",
];

/// The schema of one revision.
pub(crate) struct Schema {
    revision: Revision,
    document: Value,
    validators: Mutex<HashMap<String, &'static Validator>>,
}

/// Returns the schema of a revision. The schema is parsed once.
pub(crate) fn of(revision: Revision) -> &'static Schema {
    static SCHEMAS: OnceLock<HashMap<Revision, Schema>> = OnceLock::new();
    let schemas =
        SCHEMAS.get_or_init(|| Revision::ALL.into_iter().map(|revision| (revision, Schema::read(revision))).collect());
    &schemas[&revision]
}

impl Schema {
    /// Panics with all errors if `value` does not match `definition`.
    pub(crate) fn check(&self, definition: &str, value: &Value) {
        let mistakes = self.mistakes(definition, value);
        assert!(mistakes.is_empty(), "no `{definition}` of {}: {mistakes:#?}\n{value:#}", self.revision);
    }

    /// Panics if `response` is not a valid response with a result, or if its `result` does not match `definition`.
    pub(crate) fn check_result(&self, definition: &str, response: &Value) {
        let frame = self.either("JSONRPCResultResponse", "JSONRPCResponse");
        self.check(frame, response);
        self.check(definition, &response["result"]);
        if definition == "EmptyResult" {
            assert_eq!(response["result"], json!({}), "an empty result holds nothing");
        }
    }

    /// Panics if `response` is not a valid response with an error. An error without an id is allowed in every revision.
    /// The schemas up to 2025-06-18 require an id even if the id of the request could not be read.
    pub(crate) fn check_error(&self, response: &Value) {
        let mut response = response.clone();
        if !self.has("JSONRPCErrorResponse") && response.get("id").is_none() {
            response["id"] = json!("unread");
        }
        self.check(self.either("JSONRPCErrorResponse", "JSONRPCError"), &response);
        let code = response["error"]["code"].as_i64().unwrap();
        let standard = [-32700, -32600, -32601, -32602, -32603].contains(&code);
        match code {
            -32021 if self.revision.is_modern() => self.check("MissingRequiredClientCapabilityError", &response),
            -32022 if self.revision.is_modern() => self.check("UnsupportedProtocolVersionError", &response),
            // The schemas name no codes of their own, but the specification has this one for resources.
            -32002 if !self.revision.is_modern() => {}
            _ => assert!(standard, "the code {code} is none of {}", self.revision),
        }
    }

    fn read(revision: Revision) -> Self {
        let path = format!("{}/tests/schemas/{revision}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut document: Value = serde_json::from_str(&text).unwrap();
        let definitions = document.as_object_mut().unwrap();
        let definitions = definitions.iter_mut().find(|(key, _)| ["$defs", "definitions"].contains(&key.as_str()));
        for (name, definition) in definitions.unwrap().1.as_object_mut().unwrap() {
            if CLOSED.contains(&name.as_str()) {
                close(definition);
            }
            if name == "ServerCapabilities" {
                // The extension for views is older than the first revision whose schema has extensions.
                let properties = definition["properties"].as_object_mut().unwrap();
                properties.entry("extensions").or_insert(json!({ "type": "object" }));
            }
        }
        Self { revision, document, validators: Mutex::default() }
    }

    fn mistakes(&self, definition: &str, value: &Value) -> Vec<String> {
        let describe = |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
        self.validator(definition).iter_errors(value).map(describe).collect()
    }

    fn validator(&self, definition: &str) -> &'static Validator {
        let mut validators = self.validators.lock().unwrap();
        validators.entry(definition.to_owned()).or_insert_with(|| {
            assert!(self.has(definition), "{} has no `{definition}`", self.revision);
            let mut schema = self.document.clone();
            schema["allOf"] = json!([{ "$ref": format!("#/{}/{definition}", self.keyword()) }]);
            // One for each definition in use, for as long as the tests run.
            Box::leak(Box::new(jsonschema::validator_for(&schema).unwrap()))
        })
    }

    pub(crate) fn has(&self, definition: &str) -> bool {
        self.document[self.keyword()].get(definition).is_some()
    }

    fn keyword(&self) -> &'static str {
        if self.document.get("$defs").is_some() { "$defs" } else { "definitions" }
    }

    fn either(&self, newer: &'static str, older: &'static str) -> &'static str {
        if self.has(newer) { newer } else { older }
    }
}

fn close(definition: &mut Value) {
    let definition = definition.as_object_mut().unwrap();
    // Some are only a choice between others.
    let Some(Value::Object(properties)) = definition.get_mut("properties") else { return };
    // Older schemas leave the frame out of their notifications.
    if properties.contains_key("method") {
        properties.entry("jsonrpc").or_insert(json!({ "const": "2.0" }));
    }
    for inner in ["params", "requestedSchema"] {
        if let Some(inner) = properties.get_mut(inner).filter(|inner| inner.get("properties").is_some()) {
            close(inner);
        }
    }
    definition.insert("additionalProperties".into(), json!(false));
}

#[test]
fn rejects_a_member_of_a_later_revision() {
    let tool = json!({ "name": "t", "inputSchema": { "type": "object" }, "title": "T" });
    assert_eq!(of(Revision::V2025_03_26).mistakes("Tool", &tool).len(), 1);
    assert!(of(Revision::V2025_06_18).mistakes("Tool", &tool).is_empty());

    let result = json!({ "content": [{ "type": "audio", "data": "", "mimeType": "audio/wav" }] });
    assert!(!of(Revision::V2024_11_05).mistakes("CallToolResult", &result).is_empty());
    assert!(of(Revision::V2025_03_26).mistakes("CallToolResult", &result).is_empty());
    assert!(!of(Revision::V2026_07_28).mistakes("CallToolResult", &result).is_empty(), "`resultType` is missing");

    let report = json!({ "jsonrpc": "2.0", "method": "notifications/progress",
        "params": { "progressToken": 1, "progress": 1, "message": "m" } });
    assert_eq!(of(Revision::V2024_11_05).mistakes("ProgressNotification", &report).len(), 1);
    assert!(of(Revision::V2025_03_26).mistakes("ProgressNotification", &report).is_empty());

    let default = json!({ "type": "string", "default": "Ada" });
    assert!(!of(Revision::V2025_06_18).mistakes("PrimitiveSchemaDefinition", &default).is_empty());
    assert!(of(Revision::V2025_11_25).mistakes("PrimitiveSchemaDefinition", &default).is_empty());
}
