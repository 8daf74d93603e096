//! The program as a client meets it: a process, in every revision of the protocol.

use std::process::Command;

use mcp_runtime::{Revision, testing::Client};
use serde_json::json;

/// Returns a client of each revision.
fn clients() -> impl Iterator<Item = Client> {
    Revision::ALL.into_iter().map(|revision| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_docs_server"));
        program.env("DOCS_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/docs"));
        Client::process(program).revision(revision)
    })
}

#[tokio::test]
async fn lists_and_reads_files_and_outlines() {
    for mut client in clients() {
        let uris: Vec<_> = client.resources().await.iter().map(|resource| resource["uri"].clone()).collect();
        let expected = [
            "docs://files/guide/install.md",
            "docs://files/pot.png",
            "docs://files/start.md",
            "docs://outlines/guide/install.md",
            "docs://outlines/start.md",
            "skill://answering/SKILL.md",
            "skill://answering/references/quoting.md",
            "skill://summaries/SKILL.md",
        ];
        assert_eq!(uris, expected);
        let file = client.read("docs://files/start.md").await;
        assert!(file.text().starts_with("# Start\n"));
        assert_eq!(file.contents()[0].mime_type.as_deref(), Some("text/markdown"));
        let picture = client.read("docs://files/pot.png").await.contents().remove(0);
        assert_eq!(picture.mime_type.as_deref(), Some("image/png"));
        assert!(picture.bytes().starts_with(b"\x89PNG"));
        let outline = client.read("docs://outlines/guide/install.md").await;
        assert_eq!(outline.text(), "- Install\n  - Soil\n  - Pot\n");
    }
}

#[tokio::test]
async fn reads_nothing_else() {
    for mut client in clients() {
        for uri in ["docs://files/../Cargo.toml", "docs://outlines/../README.md", "docs://outlines/none.md"] {
            assert!(client.read(uri).await.is_not_found(), "{uri}");
        }
    }
}

#[tokio::test]
async fn prompts_contain_the_page() {
    for mut client in clients() {
        let arguments = json!({ "page": "start.md", "question": "How often?" });
        let explained = client.prompt("explain", arguments).await.messages();
        assert_eq!(explained[0].content["resource"]["uri"], "docs://files/start.md");
        assert!(explained[1].text().ends_with("How often?"));

        let summary = client.prompt("summarize", json!({ "page": "start.md", "length": "paragraph" })).await;
        assert_eq!(summary.messages()[1].text(), "Summarize this page in one paragraph.");

        let unknown = client.prompt("explain", json!({ "page": "../Cargo.toml", "question": "?" })).await;
        assert_eq!(unknown.error().unwrap().message, "there is no page `../Cargo.toml`");
    }
}

#[tokio::test]
async fn names_of_pages_are_completed() {
    for mut client in clients() {
        let page = client.complete("explain", "page", "inst").await.completion();
        assert_eq!(page.values, ["guide/install.md"]);
        let page = client.complete_template("docs://outlines/{+page}", "page", "s").await.completion();
        assert_eq!(page.values, ["start.md", "guide/install.md"]);
        let length = client.complete("summarize", "length", "").await.completion();
        assert_eq!(length.values, ["sentence", "paragraph"]);
    }
}

#[tokio::test]
async fn skills_are_read_as_resources() {
    for mut client in clients() {
        let skill = client.read("skill://answering/SKILL.md").await;
        assert!(skill.text().contains("references/quoting.md"));
        assert_eq!(skill.contents()[0].mime_type.as_deref(), Some("text/markdown"));
    }
}
