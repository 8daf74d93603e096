//! The list of `@modelcontextprotocol/server-everything`, as it was saved.

use mcp_runtime::{CallToolResult, Json, remote::RemoteTool};
use serde_json::json;

use super::assert_written;

mod list {
    mcp_runtime::remote_tools!("everything.json");
}

const LIST: &str = include_str!("everything.json");

#[test]
fn each_tool_is_called_with_arguments_that_its_schema_accepts() {
    use list::*;

    assert_written(LIST, &Echo::new("hi"), &json!({"message": "hi"}));
    let message = GetAnnotatedMessage {
        include_image: Some(true),
        ..GetAnnotatedMessage::new(GetAnnotatedMessageMessageType::Success)
    };
    assert_written(LIST, &message, &json!({"messageType": "success", "includeImage": true}));
    assert_written(LIST, &GetEnv {}, &json!({}));
    assert_written(LIST, &GetResourceLinks { count: Some(2.0) }, &json!({"count": 2.0}));
    let reference = GetResourceReference {
        resource_type: Some(GetResourceReferenceResourceType::Blob),
        ..GetResourceReference::default()
    };
    assert_written(LIST, &reference, &json!({"resourceType": "Blob"}));
    let weather = GetStructuredContent::new(GetStructuredContentLocation::NewYork);
    assert_written(LIST, &weather, &json!({"location": "New York"}));
    assert_written(LIST, &GetSum::new(1.0, 2.5), &json!({"a": 1.0, "b": 2.5}));
    let gzip = GzipFileAsResource {
        name: Some("a.gz".into()),
        output_type: Some(GzipFileAsResourceOutputType::ResourceLink),
        ..GzipFileAsResource::new()
    };
    assert_written(LIST, &gzip, &json!({"name": "a.gz", "outputType": "resourceLink"}));
}

#[test]
fn only_a_tool_with_an_output_schema_has_a_type_for_its_output() {
    fn structured<T: RemoteTool<Output = Json<list::GetStructuredContentOutput>>>() {}
    fn as_it_is<T: RemoteTool<Output = CallToolResult>>() {}
    structured::<list::GetStructuredContent>();
    as_it_is::<list::Echo>();
}
