//! The content of results, block by block.

use serde_json::{Value, json};

use crate::conformance::{REVISIONS, result, text};

/// Asserts the result of a tool in both revisions.
async fn gives(tool: &str, expected: &Value) {
    for revision in REVISIONS {
        assert_eq!(result(revision, tool, json!({})).await, *expected, "`{tool}` in {revision}");
        // Clients may leave the arguments out.
        assert_eq!(result(revision, tool, Value::Null).await, *expected, "`{tool}` in {revision}");
    }
}

const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";

#[tokio::test]
async fn returns_text() {
    gives("test_simple_text", &text("This is a simple text response for testing.")).await;
}

#[tokio::test]
async fn returns_images_and_audio_as_base64() {
    let image = json!({ "type": "image", "data": PIXEL, "mimeType": "image/png" });
    gives("test_image_content", &json!({ "content": [image] })).await;
    let data = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==";
    let audio = json!({ "type": "audio", "data": data, "mimeType": "audio/wav" });
    gives("test_audio_content", &json!({ "content": [audio] })).await;
}

#[tokio::test]
async fn returns_an_embedded_resource() {
    let resource = json!({
        "uri": "test://embedded-resource",
        "mimeType": "text/plain",
        "text": "This is an embedded resource content.",
    });
    gives("test_embedded_resource", &json!({ "content": [{ "type": "resource", "resource": resource }] })).await;
}

#[tokio::test]
async fn returns_mixed_blocks_in_order() {
    let resource = json!({
        "uri": "test://mixed-content-resource",
        "mimeType": "application/json",
        "text": r#"{"test":"data","value":123}"#,
    });
    let blocks = json!([
        { "type": "text", "text": "Multiple content types test:" },
        { "type": "image", "data": PIXEL, "mimeType": "image/png" },
        { "type": "resource", "resource": resource },
    ]);
    gives("test_multiple_content_types", &json!({ "content": blocks })).await;
}

#[tokio::test]
async fn an_error_is_a_result() {
    let mut failed = text("This tool intentionally returns an error for testing");
    failed["isError"] = true.into();
    gives("test_error_handling", &failed).await;
}

#[tokio::test]
async fn returns_structured_content() {
    for revision in REVISIONS {
        let value = json!({ "value": "Hello" });
        assert_eq!(result(revision, "test_custom_header", value).await, text("The value is Hello"));
    }
}
