//! The program as a client meets it: a process that serves the folder `CODE_SEARCH_ROOT`.

use std::process::Command;

use mcp_runtime::{Revision, testing::Client};
use serde_json::json;

#[tokio::test]
async fn finds_only_files_below_the_root_in_every_revision() {
    for revision in Revision::ALL {
        let mut server = Command::new(env!("CARGO_BIN_EXE_code_search"));
        server.env("CODE_SEARCH_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/fixture"));
        let mut client = Client::process(server).revision(revision);

        let found = client.call("find_files", json!({ "globs": ["*.rs"] })).await;
        assert!(found.text().contains(r#"["src/average.rs","src/lib.rs"]"#), "{revision}: {}", found.text());

        let outside = client.call("read_lines", json!({ "path": "../Cargo.toml" })).await;
        assert!(outside.is_error());
        assert!(outside.text().contains("leads out of the tree"), "{revision}: {}", outside.text());
    }
}

#[test]
fn names_a_root_that_is_missing() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_code_search"));
    let ended = server.env("CODE_SEARCH_ROOT", "/nowhere/at/all").output().unwrap();
    assert_eq!(ended.status.code(), Some(2));
    assert!(String::from_utf8(ended.stderr).unwrap().contains("CODE_SEARCH_ROOT"));
}
