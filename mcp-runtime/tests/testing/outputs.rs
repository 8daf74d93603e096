//! The scripted client checks each result against the output schema of its tool.

use mcp_runtime::{
    Call, CallToolResult, Result, Revision, Server, Tool,
    call::CallFuture,
    prelude::*,
    testing::Client,
    tool::{Arguments, ArgumentsError, ToolDefinition},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use crate::testing::support::{lead, panic_of};

#[derive(Serialize, JsonSchema)]
struct Report {
    items: Vec<ReportItem>,
}

#[derive(Serialize, JsonSchema)]
struct ReportItem {
    /// How many.
    #[serde(serialize_with = "in_words")]
    count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn in_words<S: serde::Serializer>(count: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    match count {
        0 => serializer.serialize_str("none"),
        count => serializer.serialize_u32(*count),
    }
}

/// Counts the notes.
#[mcp_tool]
async fn count(counts: Vec<u32>) -> Json<Report> {
    Json(Report { items: counts.into_iter().map(|count| ReportItem { count, note: None }).collect() })
}

/// Counts, but fails.
#[mcp_tool]
async fn fail() -> Result<Json<Report>> {
    Err("no counts".into())
}

/// Publishes a schema, but returns only text.
struct TextOnly;

impl Tool for TextOnly {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition::new("text_only", "Returns text.").output_schema(json!({ "type": "object" }))
    }

    fn call(&self, _: Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        Ok(Box::pin(async { Ok(CallToolResult::new([Content::text("text")])) }))
    }
}

#[tokio::test]
async fn a_result_that_violates_the_schema_of_its_tool_fails_the_test() {
    let service = Server::new("s", "1").tools(tools![count, fail]).tool(TextOnly).build().unwrap();
    for revision in [Revision::V2025_06_18, Revision::LATEST] {
        let mut client = Client::new(&service, revision);
        assert!(!client.call("count", json!({ "counts": [1, 2] })).await.is_error());
        assert!(client.call("fail", ()).await.is_error());
        let panic = panic_of(async { client.call("count", json!({ "counts": [1, 0] })).await }).await;
        let lead = lead(&panic);
        assert!(lead.starts_with("the call of `count`"), "{lead}");
        let line = "\n- `items[1].count`: got \"none\", must be an integer of at least 0 (How many)\n";
        assert!(lead.contains("violates the tool's own output schema") && lead.contains(line), "{lead}");
        let panic = panic_of(async { Client::new(&service, revision).call("text_only", ()).await }).await;
        assert!(panic.contains("\n- the result has no structured content\n"), "{panic}");
    }
    // Clients of this revision do not get the schema.
    assert!(!Client::new(&service, Revision::V2025_03_26).call("text_only", ()).await.is_error());
}
