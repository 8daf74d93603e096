//! The list of tools.

use mcp_runtime::{Revision, testing::Client};
use serde_json::{Value, json};

use crate::conformance::{REVISIONS, schema, service};

/// The tools that are hidden in the sessions of a client without sampling.
const NEED_SAMPLING: [&str; 4] = [
    "test_missing_capability",
    "test_sampling",
    "test_input_required_result_sampling",
    "test_input_required_result_multiple_inputs",
];

/// All tools, in the order of the list.
const TOOLS: [&str; 35] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_logging",
    "test_tool_with_progress",
    "test_logging_tool",
    "test_reconnection",
    "test_missing_capability",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_streaming_elicitation",
    "test_sampling",
    "test_input_required_result_sampling",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_capabilities",
    "test_input_required_result_elicitation",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_multi_round",
    "test_custom_header",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "greet",
    "slow_compute",
    "failing_job",
    "protocol_error_job",
    "confirm_delete",
    "multi_input",
    "test_tool_with_task",
    "json_schema_2020_12_tool",
];

/// Tools that need the tasks extension, which sessions do not have.
const NEED_TASKS: [&str; 2] = ["failing_job", "test_tool_with_task"];

async fn listed(revision: Revision) -> Vec<Value> {
    Client::new(&service(), revision).tools().await
}

#[tokio::test]
async fn lists_tools_in_a_stable_order() {
    for revision in REVISIONS {
        let mut client = Client::new(&service(), revision);
        for _ in 0..3 {
            let tools = client.tools().await;
            let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
            // A client that knows nothing of a server calls the first: with nothing, and it must succeed.
            let seen = |tool: &&str| revision.is_modern() || !NEED_TASKS.contains(tool);
            assert_eq!(names, TOOLS.into_iter().filter(seen).collect::<Vec<_>>(), "{revision}");
        }
    }
}

#[tokio::test]
async fn a_session_lists_only_tools_its_client_supports() {
    for revision in REVISIONS {
        let mut client = Client::new(&service(), revision).without_sampling();
        let tools = client.tools().await;
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let needs_more = |tool: &str| NEED_SAMPLING.contains(&tool) || NEED_TASKS.contains(&tool);
        let seen = |tool: &&str| revision.is_modern() || !needs_more(tool);
        assert_eq!(names, TOOLS.into_iter().filter(seen).collect::<Vec<_>>(), "{revision}");
    }
}

#[tokio::test]
async fn every_tool_is_described() {
    for revision in REVISIONS {
        for tool in listed(revision).await {
            schema::of(revision).check("Tool", &tool);
            assert!(tool["description"].as_str().is_some_and(|text| !text.is_empty()), "{tool}");
        }
    }
}

#[tokio::test]
async fn the_schemas_say_what_is_taken() {
    for tool in listed(Revision::V2026_07_28).await.split_last().unwrap().1 {
        let (properties, required) = match tool["name"].as_str().unwrap() {
            "test_elicitation" => {
                let description = "What the user reads above the form.";
                (json!({ "message": { "type": "string", "description": description } }), json!(["message"]))
            }
            "test_sampling" => {
                let prompt = json!({ "type": "string", "description": "What the model reads." });
                (json!({ "prompt": prompt }), json!(["prompt"]))
            }
            // The suite takes the first tool that has a text with this mark.
            "test_custom_header" => {
                let value = json!({ "type": "string", "description": "What to repeat.", "x-mcp-header": "Value" });
                (json!({ "value": value }), json!(["value"]))
            }
            "greet" => {
                let name = json!({ "type": "string", "description": "Whom to greet." });
                (json!({ "name": name }), json!(["name"]))
            }
            "slow_compute" => {
                let description = "How long to compute.";
                let seconds =
                    json!({ "type": "number", "description": description, "minimum": 0.0, "maximum": 3600.0 });
                let label = json!({ "type": "string", "description": "What the result is called.", "default": "" });
                (json!({ "seconds": seconds, "label": label }), json!(["seconds"]))
            }
            "confirm_delete" => {
                let filename = json!({ "type": "string", "description": "The file to delete." });
                (json!({ "filename": filename }), json!(["filename"]))
            }
            _ => (json!({}), Value::Null),
        };
        let schema = &tool["inputSchema"];
        assert_eq!(
            (&schema["type"], &schema["properties"], &schema["required"]),
            (&json!("object"), &properties, &required)
        );
        assert_eq!(schema.get("additionalProperties"), None, "{tool}");
    }
}

#[tokio::test]
async fn publishes_every_keyword_of_a_schema() {
    let expected = json!({
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
    });
    for revision in REVISIONS {
        let tool = listed(revision).await.pop().unwrap();
        assert_eq!(tool["inputSchema"], expected, "{revision}");
    }
}

#[tokio::test]
async fn enforces_every_keyword_of_a_schema() {
    for revision in REVISIONS {
        let mut client = Client::new(&service(), revision);
        let good = json!({ "name": "Ada", "address": { "city": "London" }, "contactMethod": "phone", "phone": "1" });
        let told = client.call("json_schema_2020_12_tool", &good).await;
        assert_eq!(told.text(), format!("The contact is {good}"));
        for bad in [
            json!({ "name": "Ada" }),
            json!({ "contactMethod": "phone", "email": "ada@example.com" }),
            json!({ "contactMethod": "email", "phone": "1" }),
            json!({ "email": "ada@example.com", "address": { "city": 1 } }),
            json!({ "email": "ada@example.com", "fax": "1" }),
        ] {
            assert!(client.call("json_schema_2020_12_tool", &bad).await.is_error(), "{bad}");
        }
    }
}
