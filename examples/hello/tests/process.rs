//! The program as a client meets it: a process, in every revision of the protocol.

use std::process::Command;

use mcp_runtime::{Revision, testing::Client};
use serde_json::json;

#[tokio::test]
async fn greets_by_name_in_every_revision() {
    for revision in Revision::ALL {
        let mut client = Client::process(Command::new(env!("CARGO_BIN_EXE_hello"))).revision(revision);
        let greeted = client.call("greet", json!({ "name": "World" })).await;
        assert_eq!(greeted.text(), "Hello, World!", "{revision}");
    }
}
