//! Tools that require a capability of the client.

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::protocol::{LEGACY, client::Client, service};

async fn lists_ask(client: &mut Client) -> bool {
    let list = client.result("tools/list", json!({})).await;
    list["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "ask")
}

async fn client(revision: Revision, capabilities: Value) -> Client {
    let mut client = Client::silent(&service(), revision);
    client.capabilities = capabilities;
    client.ready().await
}

#[tokio::test]
async fn a_session_hides_tools_that_its_client_does_not_support() {
    for revision in LEGACY {
        let mut without = client(revision, json!({})).await;
        assert!(!lists_ask(&mut without).await);
        let text = without.failed_call("ask", json!({})).await;
        assert!(text.contains("`ask`") && text.contains("form elicitation"), "{text}");
        without.works().await;
    }
    for revision in [Revision::V2025_06_18, Revision::V2025_11_25] {
        let mut with = client(revision, json!({ "elicitation": {} })).await;
        assert!(lists_ask(&mut with).await);
        assert_eq!(with.call("ask", json!({})).await["content"][0]["text"], "true");
    }
}

#[tokio::test]
async fn a_modern_list_is_the_same_for_all_and_calls_check_capabilities() {
    let url_alone = json!({ "elicitation": { "url": {} } });
    for capabilities in [json!({}), json!({ "sampling": {} }), url_alone] {
        let mut without = client(Revision::V2026_07_28, capabilities).await;
        assert!(lists_ask(&mut without).await);
        let error = without.error("tools/call", json!({ "name": "ask", "arguments": {} })).await;
        assert_eq!(error["code"], -32021);
        assert_eq!(error["data"], json!({ "requiredCapabilities": { "elicitation": { "form": {} } } }));
        assert!(error["message"].as_str().unwrap().contains("ask"));
        without.works().await;
    }
    for capabilities in [json!({ "elicitation": {} }), json!({ "elicitation": { "form": {}, "url": {} } })] {
        let mut with = client(Revision::V2026_07_28, capabilities).await;
        assert_eq!(with.call("ask", json!({})).await["content"][0]["text"], "true");
        // The capabilities of one request do not apply to the next.
        with.capabilities = json!({});
        assert_eq!(with.error("tools/call", json!({ "name": "ask" })).await["code"], -32021);
    }
}
