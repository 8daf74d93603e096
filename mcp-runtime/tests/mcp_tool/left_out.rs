//! `null` means that an argument is left out, and JSON in a string is read as this JSON.

use mcp_runtime::{
    Server,
    prelude::*,
    tool::{DynamicTool, ToolDefinition},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::{call, call_with};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Up,
    Down,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Filter {
    city: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default = "nine")]
    stars: u8,
    near: Option<bool>,
}

fn nine() -> u8 {
    9
}

/// Searches the notes.
#[mcp_tool]
async fn search(
    #[serde(default = 1)] page: u32,
    #[serde(default)] order: Order,
    #[serde(default)] words: Vec<String>,
    limit: Option<u8>,
    filter: Option<Filter>,
    #[serde(default)] ids: Vec<u32>,
    #[serde(default = "text")] text: String,
) -> Json<Value> {
    Json(json!([page, order, words, limit, filter, ids, text]))
}

fn text() -> String {
    "none".to_owned()
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Whole {
    #[serde(default = "nine")]
    stars: u8,
    #[serde(default)]
    filters: Vec<Filter>,
    city: String,
}

/// Searches.
#[mcp_tool]
async fn whole(#[params] whole: Whole) -> Json<Whole> {
    Json(whole)
}

fn text_of(result: &Value) -> Value {
    let text = result["content"][0]["text"].as_str().unwrap();
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{result}"))
}

#[test]
fn null_means_left_out_for_every_argument_that_is_not_required() {
    let left_out = json!([1, "up", [], null, null, [], "none"]);
    let nulls = json!({
        "page": null, "order": null, "words": null, "limit": null, "filter": null, "ids": null, "text": null
    });
    assert_eq!(text_of(&call(tools![search], nulls)), left_out);
    assert_eq!(text_of(&call(tools![search], json!({}))), left_out);
    let filter = json!({ "city": "Lisbon", "tags": null, "stars": null, "near": null });
    let inside = text_of(&call(tools![search], json!({ "filter": filter, "page": 2 })));
    assert_eq!(inside[4], json!({ "city": "Lisbon", "tags": [], "stars": 9, "near": null }));
    let whole = text_of(&call(tools![whole], json!({ "stars": null, "filters": [filter], "city": "Faro" })));
    assert_eq!((&whole["stars"], &whole["filters"][0]["stars"]), (&json!(9), &json!(9)));
}

#[test]
fn null_for_a_required_argument_is_an_error() {
    let error = call(tools![whole], json!({ "city": null, "stars": null }));
    let text = error["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, "invalid arguments for `whole`:\n- `city`: got null, must be a string");
}

#[test]
fn json_in_a_string_is_read_as_json() {
    let filter = r#"{"city":"Lisbon","stars":null,"tags":["[1]"]}"#;
    let sent = json!({ "page": "3", "words": "[\"a\", \"3\"]", "ids": "[1, 2.0]", "limit": "4", "filter": filter, "text": "[5]" });
    let expected = json!([
        3, "up", ["a", "3"], 4, { "city": "Lisbon", "tags": ["[1]"], "stars": 9, "near": null }, [1, 2], "[5]"
    ]);
    assert_eq!(text_of(&call(tools![search], sent)), expected);
}

#[test]
fn json_in_a_string_is_an_error_if_the_server_says_so() {
    let strict = || Server::new("test", "1.0.0").json_strings(false);
    let error = call_with(strict(), tools![search], json!({ "page": "3" }));
    let expected = "invalid arguments for `search`:\n- `page`: got \"3\", must be an integer of at least 0; write it without the quotes";
    assert_eq!(error["content"][0]["text"], expected);
    assert_eq!(text_of(&call_with(strict(), tools![search], json!({ "page": null })))[0], 1);
}

#[test]
fn errors_show_what_the_model_sent() {
    let error = call(tools![search], json!({ "page": "many", "limit": null, "ids": "[1, \"x\"]", "words": "[]" }));
    let text = error["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        text,
        "invalid arguments for `search`:\n- `page`: got \"many\", must be an integer of at least 0\n\
         - `ids[1]`: got \"x\", must be an integer of at least 0"
    );
}

#[test]
fn a_tool_of_a_hand_written_schema_sees_the_arguments_as_its_schema_says() {
    let schema = json!({
        "type": "object",
        "properties": { "list": { "type": "array", "items": { "type": "integer" } }, "note": { "type": "string" } },
    });
    let definition = ToolDefinition::new("dynamic", "Returns its arguments.").input_schema(schema);
    let tool = DynamicTool::new(definition, async |_: Ctx, arguments: Value| Json(arguments));
    let tools: Vec<Box<dyn mcp_runtime::Tool>> = vec![Box::new(tool)];
    let result = call(tools, json!({ "list": "[1, 2]", "note": null }));
    assert_eq!(text_of(&result), json!({ "list": [1, 2] }));
}
