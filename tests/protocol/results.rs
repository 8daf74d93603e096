//! Results in each revision.

use mcp_runtime::Revision;
use serde_json::json;

use crate::protocol::{client::Client, service};

#[tokio::test]
async fn sends_structured_content_to_revisions_that_have_it_and_text_to_all() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        client.works().await;
        let result = client.call("add", json!({ "a": 40, "b": 2 })).await;
        assert_eq!(result["content"], json!([{ "type": "text", "text": r#"{"total":42}"# }]));
        let knows = revision >= Revision::V2025_06_18;
        assert_eq!(result.get("structuredContent"), knows.then_some(&json!({ "total": 42 })), "{revision}");
    }
}

#[tokio::test]
async fn only_the_newest_revision_gets_structured_content_that_is_not_an_object() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        client.works().await;
        let result = client.call("numbers", json!({ "count": 3 })).await;
        assert_eq!(result["content"], json!([{ "type": "text", "text": "[1,2,3]" }]));
        let knows = revision.is_modern();
        assert_eq!(result.get("structuredContent"), knows.then_some(&json!([1, 2, 3])), "{revision}");
    }
}

#[tokio::test]
async fn converts_unsupported_blocks_to_text() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let image = json!({ "type": "image", "data": "iVBORw==", "mimeType": "image/png" });
    let sound = json!({ "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav" });
    let link = json!({ "type": "resource_link", "uri": "file:///a.txt", "name": "a.txt", "title": "A",
        "mimeType": "text/plain", "size": 3 });
    let embedded = [
        json!({ "type": "resource", "resource": { "uri": "file:///b.txt", "mimeType": "text/plain", "text": "b" } }),
        json!({ "type": "resource", "resource": { "uri": "file:///c.bin", "blob": "Yw==" } }),
    ];
    let mut annotated = text("text");
    annotated["annotations"] = json!({ "audience": ["user"], "priority": 0.5 });
    let mut dated = annotated.clone();
    dated["annotations"]["lastModified"] = json!("2026-07-28T12:00:00Z");

    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let result = client.call("gallery", json!({})).await;
        let expected = [
            if revision >= Revision::V2025_06_18 { dated.clone() } else { annotated.clone() },
            image.clone(),
            if revision >= Revision::V2025_03_26 { sound.clone() } else { text("[audio of type audio/wav]") },
            if revision >= Revision::V2025_06_18 { link.clone() } else { text("A: file:///a.txt") },
            embedded[0].clone(),
            embedded[1].clone(),
        ];
        assert_eq!(result["content"], json!(expected), "{revision}");
        assert_eq!(result.get("isError"), None);
    }
}

#[tokio::test]
async fn an_empty_result_still_has_content() {
    for revision in Revision::ALL {
        let mut client = Client::open(&service(), revision).await;
        let result = client.call("speak", json!({})).await;
        assert_eq!(result["content"], json!([]));
    }
}
