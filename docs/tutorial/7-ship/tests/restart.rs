//! The program as a process, which is killed before each answer of its user arrives.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use mcp_runtime::testing::{Client, Fault};
use serde_json::{Value, json};

/// Returns a new, empty folder for a database and a ledger.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("restart");
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir(&folder).unwrap();
    folder
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_library-desk"));
    command.current_dir(folder);
    command.env("MCP_STORE", "ledger.db");
    command.env(
        "MCP_STATE_KEY",
        "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=",
    );
    command
}

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

#[tokio::test]
async fn a_call_survives_the_end_of_its_process() {
    let folder = folder();
    let ada = json!({ "name": "Ada", "email": "ada@example.org", "newsletter": false });
    // Kills the process before each round after the first, and starts another.
    let mut client = Client::process(program(&folder)).fault(Fault::Restarts);
    let registered = client.call("register_reader", ()).answer(accept(ada)).await;
    assert_eq!(registered.text(), "Ada is reader 1.");

    let lent = client
        .call("lend_book", json!({ "book": 2, "reader": 1 }))
        .answer(accept(json!({ "copy": "22" })))
        .answer(accept(json!({ "confirmed": true })))
        .await;
    assert_eq!(lent.rounds(), 3);
    assert!(lent.text().starts_with("Loan 1: `Frankenstein`, copy 22"));
}
