//! Runs the conversations in `transcripts/`, one for each revision, in memory and with a process.
//!
//! A line is `{"send": …}`, a message of the client, or `{"receive": …}`, the next message of the server. To make a
//! transcript write the first kind and run the test with `BLESS=1`: it writes what the server says.

use std::{fs, path::PathBuf};

use mcp_runtime::Revision;
use serde_json::{Value, json};

use crate::protocol::{client::Client, tools::few, wire::Wire};

#[tokio::test]
async fn in_memory() {
    let service = few().build().unwrap();
    for revision in Revision::ALL {
        replay(Wire::memory(&service), revision).await;
    }
}

#[tokio::test]
async fn with_a_process() {
    for revision in Revision::ALL {
        replay(Wire::process_with_few_tools(), revision).await;
    }
}

async fn replay(wire: Wire, revision: Revision) {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "tests/protocol/transcripts", &format!("{revision}.jsonl")].iter().collect();
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut client = Client::new(wire, revision);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, bless(&mut client, &lines).await).unwrap();
    } else {
        for (number, line) in (1..).zip(&lines) {
            if let Some(message) = line.get("send") {
                send(&mut client, message).await;
            } else {
                // As text: the order of members is part of it.
                let received = client.next().await.to_string();
                assert_eq!(received, line["receive"].to_string(), "{}:{number}", path.display());
            }
        }
    }
    assert!(client.close().await.is_empty());
}

/// Sends a message. If the message cancels a request, no answer to that request is expected.
async fn send(client: &mut Client, message: &Value) {
    client.send(&message.to_string()).await;
    if let Some(id) = cancelled(message) {
        client.forget(id);
    }
}

/// Returns the transcript with the current messages of the server.
async fn bless(client: &mut Client, lines: &[Value]) -> String {
    let mut blessed = String::new();
    let sent: Vec<&Value> = lines.iter().filter_map(|line| line.get("send")).collect();
    for message in &sent {
        send(client, message).await;
        blessed += &format!("{}\n", json!({ "send": message }));
        let answered = |id: &&Value| !sent.iter().any(|other| cancelled(other) == Some(*id));
        let Some(id) = message.get("id").filter(answered) else { continue };
        loop {
            let received = client.next().await;
            let last = received.get("id") == Some(id);
            blessed += &format!("{}\n", json!({ "receive": received }));
            if last {
                break;
            }
        }
    }
    blessed
}

fn cancelled(message: &Value) -> Option<&Value> {
    (message["method"] == "notifications/cancelled").then(|| &message["params"]["requestId"])
}
