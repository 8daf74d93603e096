//! The schemas that hosts see.

use mcp_runtime::{
    Server,
    prelude::*,
    tool::{SchemaStyle, ToolDefinition},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::support::list;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum State {
    /// Nobody has begun.
    Open,
    /// Done.
    Completed,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Task {
    title: String,
    state: Option<State>,
}

/// Changes tasks.
#[mcp_tool]
async fn change(
    /// The new state
    state: Option<State>,
    task: Task,
    #[schemars(range(min = 1))]
    #[serde(default = 5)]
    limit: u32,
    place: Option<(f64, f64)>,
    tags: Option<Vec<Option<String>>>,
) -> Json<Vec<Task>> {
    drop((state, limit, place, tags));
    Json(vec![task])
}

#[test]
fn a_tool_is_published_in_plain_keywords() {
    let tool = list(tools![change]);
    let state =
        |description: &str| json!({ "type": "string", "enum": ["open", "completed"], "description": description });
    let docs = "`open`: Nobody has begun; `completed`: Done";
    assert_eq!(
        tool["inputSchema"],
        json!({
            "type": "object",
            "properties": {
                "state": state(&format!("The new state. {docs}")),
                "task": {
                    "type": "object",
                    "properties": { "title": { "type": "string" }, "state": state(docs) },
                    "required": ["title"],
                },
                "limit": { "type": "integer", "minimum": 1, "maximum": u32::MAX, "default": 5 },
                "place": { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 },
                "tags": { "type": "array", "items": { "type": "string", "description": "`null` is allowed." } },
            },
            "required": ["task"],
        })
    );
}

#[test]
fn items_of_a_tuple_that_differ_only_in_their_descriptions_have_one_form() {
    /// Goes to a place.
    #[mcp_tool]
    async fn go(place: (f64, Option<f64>)) {
        let _ = place;
    }
    let place = &list(tools![go])["inputSchema"]["properties"]["place"];
    assert_eq!(place["items"], json!({ "type": "number" }));
    assert_eq!(place["description"], json!("The items, in this order: number, number (`null` is allowed)."));
}

#[test]
fn an_output_schema_allows_the_null_that_is_sent() {
    /// Returns a task.
    #[mcp_tool]
    async fn task() -> Json<Task> {
        Json(Task { title: "tea".to_owned(), state: None })
    }
    let state = &list(tools![task])["outputSchema"]["properties"]["state"];
    let docs = "`open`: Nobody has begun; `completed`: Done";
    let plain = json!({ "type": "string", "enum": ["open", "completed"], "description": docs });
    assert_eq!(*state, json!({ "anyOf": [plain, { "type": "null" }] }));
}

fn manifest(server: Server) -> Value {
    server.build().unwrap().manifest()["tools"][0]["inputSchema"].clone()
}

#[test]
fn strict_style_publishes_closed_objects() {
    let server = || Server::new("test", "1.0.0").tools(tools![change]);
    let strict = manifest(server().schema_style(SchemaStyle::Strict));
    assert_eq!(strict["additionalProperties"], json!(false));
    assert_eq!(strict["properties"]["task"]["additionalProperties"], json!(false));
    assert!(!manifest(server()).to_string().contains("additionalProperties"));
}

#[test]
fn a_verbatim_schema_is_published_unchanged() {
    let schema = json!({
        "type": "object", "properties": { "a": { "type": ["string", "null"] } }, "additionalProperties": false,
    });
    let definition = ToolDefinition::new("a", "A tool.").input_schema_verbatim(schema.clone());
    let tool = mcp_runtime::tool::DynamicTool::new(definition, async |_: Ctx, _: Value| ());
    assert_eq!(manifest(Server::new("test", "1.0.0").tool(tool)), schema);
}

mod warnings {
    use std::collections::HashMap;

    use super::*;
    use crate::support::log::{Log, set_default};

    fn warnings(tools: Vec<Box<dyn mcp_runtime::Tool>>) -> Vec<String> {
        let log = Log::default();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(log.clone()).finish();
        let server = Server::new("test", "1.0.0").tools(tools);
        let _guard = set_default(subscriber);
        drop(server.build().unwrap());
        log.text().lines().map(str::to_owned).collect()
    }

    #[test]
    fn build_names_what_cannot_be_published_once() {
        /// Adds labels.
        #[mcp_tool]
        async fn label(labels: HashMap<String, String>, extra: Option<Value>) {
            drop((labels, extra));
        }
        let warnings = warnings(tools![label, change]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("`labels` of `label` (a map), `extra` of `label` (any value)"), "{warnings:?}");
    }

    #[test]
    fn build_names_tools_whose_names_hosts_refuse() {
        /// Does nothing.
        #[mcp_tool(name = "files.list", allow(unportable_name))]
        async fn dotted() {}
        let long: &'static str = "a".repeat(65).leak();
        let long =
            mcp_runtime::tool::DynamicTool::new(ToolDefinition::new(long, "A tool."), async |_: Ctx, _: Value| ());
        let mut tools = tools![dotted, change];
        tools.push(Box::new(long));
        let warnings = warnings(tools);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("64 letters"), "{warnings:?}");
        assert!(warnings[0].ends_with(&format!("`files.list`, `{}`", "a".repeat(65))), "{warnings:?}");
    }
}
