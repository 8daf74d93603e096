//! The official schema of each revision for questions to a model.
//!
//! The official schemas allow unknown members. This module forbids unknown members, so that a member of a later
//! revision is a mistake.

use std::{
    collections::HashMap,
    sync::{Mutex, OnceLock},
};

use jsonschema::Validator;
use mcp_runtime::Revision;
use serde_json::{Value, json};

const CLOSED: [&str; 13] = [
    "AudioContent",
    "CreateMessageRequest",
    "CreateMessageRequestParams",
    "EmbeddedResource",
    "ImageContent",
    "ModelHint",
    "ModelPreferences",
    "ResourceLink",
    "SamplingMessage",
    "TextContent",
    "Tool",
    "ToolResultContent",
    "ToolUseContent",
];

/// Panics with all errors if `params` are not valid `params` of `sampling/createMessage` in this revision.
pub(crate) fn check(revision: Revision, params: &Value) {
    static VALIDATORS: OnceLock<Mutex<HashMap<Revision, &'static Validator>>> = OnceLock::new();
    let validator = *VALIDATORS
        .get_or_init(Mutex::default)
        .lock()
        .unwrap()
        .entry(revision)
        .or_insert_with(|| Box::leak(Box::new(validator(revision))));
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": params });
    let describe = |error: jsonschema::ValidationError<'_>| format!("{}: {error}", error.instance_path());
    let mistakes: Vec<_> = validator.iter_errors(&request).map(describe).collect();
    assert!(mistakes.is_empty(), "no question to a model of {revision}: {mistakes:#?}\n{params:#}");
}

fn validator(revision: Revision) -> Validator {
    let path = format!("{}/../tests/schemas/{revision}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let keyword = if document.get("$defs").is_some() { "$defs" } else { "definitions" };
    for name in CLOSED {
        if let Some(definition) = document[keyword].get_mut(name) {
            close(definition);
        }
    }
    document["allOf"] = json!([{ "$ref": format!("#/{keyword}/CreateMessageRequest") }]);
    jsonschema::validator_for(&document).unwrap()
}

fn close(definition: &mut Value) {
    let Some(properties) = definition["properties"].as_object_mut() else { return };
    if properties.contains_key("method") {
        properties.entry("jsonrpc").or_insert(json!({ "const": "2.0" }));
        properties.entry("id").or_insert(json!({}));
    }
    if let Some(params) = properties.get_mut("params").filter(|params| params.get("properties").is_some()) {
        close(params);
    }
    definition["additionalProperties"] = json!(false);
}

/// Shows that the check finds mistakes.
#[test]
fn rejects_a_member_of_a_later_revision() {
    let message = json!({ "role": "user", "content": { "type": "text", "text": "Go." } });
    let plain = json!({ "messages": [message], "maxTokens": 1 });
    let mut native = plain.clone();
    native["tools"] = json!([{ "name": "t", "inputSchema": { "type": "object" } }]);
    let mut several = plain.clone();
    several["messages"][0]["content"] = json!([{ "type": "text", "text": "Go." }]);
    let mut sound = plain.clone();
    sound["messages"][0]["content"] = json!({ "type": "audio", "data": "", "mimeType": "audio/wav" });
    let is_known = |revision, params: &Value| std::panic::catch_unwind(|| check(revision, params)).is_ok();
    for revision in Revision::ALL {
        let has_tools = revision >= Revision::V2025_11_25;
        assert!(is_known(revision, &plain));
        assert_eq!(is_known(revision, &native), has_tools);
        assert_eq!(is_known(revision, &several), has_tools);
        assert_eq!(is_known(revision, &sound), revision >= Revision::V2025_03_26);
    }
}
