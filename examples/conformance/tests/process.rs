//! The program itself, on its standard input and output.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

#[test]
fn serves_standard_input_and_output() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_conformance"));
    let mut server = server.arg("stdio").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "test_simple_text", "_meta": meta });
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    writeln!(server.stdin.take().unwrap(), "{request}").unwrap();
    let ended = server.wait_with_output().unwrap();
    assert!(ended.status.success());
    let response: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(response["result"]["content"][0]["text"], "This is a simple text response for testing.");
}
