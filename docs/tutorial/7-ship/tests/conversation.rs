//! The whole desk in one conversation, with the program as a process, in three revisions of the protocol.

use std::{fs, path::Path, process::Command};

use mcp_runtime::{Revision, testing::Client};
use serde_json::{Value, json};

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

#[tokio::test]
async fn a_reader_registers_searches_and_borrows_in_every_revision() {
    for revision in [
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("desk-{revision}"));
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir(&folder).unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_library-desk"));
        program
            .arg("--folder")
            .arg(&folder)
            .args(["--loan-days", "7"]);
        let mut client = Client::process(program).revision(revision);

        let ada = json!({ "name": "Ada", "email": "ada@example.org", "newsletter": false });
        let registered = client.call("register_reader", ()).answer(accept(ada)).await;
        assert_eq!(registered.text(), "Ada is reader 1.");

        let found = client
            .call("search_books", json!({ "text": "stoker" }))
            .await;
        let book = found.structured::<Value>()["books"][0]["id"].clone();

        let lent = client
            .call("lend_book", json!({ "book": book, "reader": 1 }))
            .answer(accept(json!({ "copy": "82" })))
            .answer(accept(json!({ "confirmed": true })))
            .await;
        assert!(
            lent.text()
                .starts_with("Loan 1: `Dracula`, copy 82, until ")
        );

        let fee = client.call("late_fee", json!({ "days": 2 })).await;
        assert_eq!(fee.text(), "2 days late: 0.40 €");
        println!("{revision}\n{}", client.transcript());
    }
}
