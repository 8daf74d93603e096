//! The contents of the resources, and the error of an unknown one.

use mcp_runtime::testing::Client;
use serde_json::{Value, json};

use crate::conformance::{REVISIONS, service};

#[tokio::test]
async fn reads_resources_with_the_texts_of_the_suite() {
    for revision in REVISIONS {
        let mut client = Client::new(&service(), revision);
        let line = client.read("test://static-text").await.contents()[0].text.clone();
        assert_eq!(line.unwrap(), "This is the content of the static text resource.");
        assert!(client.read("test://static-binary").await.contents()[0].bytes().starts_with(b"\x89PNG"));
        let data = client.read("test://template/123/data").await.contents()[0].text.clone();
        let data: Value = serde_json::from_str(&data.unwrap()).unwrap();
        assert_eq!(data, json!({ "id": "123", "templateTest": true, "data": "Data for ID: 123" }));
        assert!(client.read("test://nothing").await.is_not_found());
    }
}
