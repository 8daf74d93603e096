//! The program as a client meets it: a process that asks with forms.

use std::process::Command;

use mcp_runtime::{Revision, testing::Client};
use serde_json::json;

#[tokio::test]
async fn signs_up_who_fills_in_the_forms() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        // This client cannot open a page, so it is not asked for a password.
        let forms = json!({ "elicitation": {} });
        let server = Command::new(env!("CARGO_BIN_EXE_signup"));
        let mut client = Client::process(server).revision(revision).capabilities(forms);
        let signed = client
            .call("sign_up", ())
            .answer(accept(&json!({ "name": "Ada", "email": "ada@example.com" })))
            .answer(accept(&json!({ "arrives": "2026-12-04", "shirt": "m", "transport": "train" })))
            .answer(accept(&json!({ "workshops": ["async", "ffi"] })))
            .await;
        let expected = "Ada is number 1: from 2026-12-04, guests: 0, workshops: 2. They have no password yet.";
        assert_eq!(signed.text(), expected, "{revision}");
    }
}

fn accept(content: &serde_json::Value) -> serde_json::Value {
    json!({ "action": "accept", "content": content })
}
