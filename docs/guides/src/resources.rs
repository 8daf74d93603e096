//! The code of the page `resources`.
#![cfg(test)]

use std::{collections::BTreeMap, sync::Mutex, time::Duration};

use mcp_runtime::{
    Result, Revision,
    complete::CompletionRequest,
    prelude::*,
    prompt::PromptMessage,
    resource::{ListRequest, ResourceEntry, ResourceList, ResourceNotFound},
    testing::{Client, Notice},
};
use serde_json::json;

/// The notes of a user, by their names.
struct Notes(Mutex<BTreeMap<String, String>>);

impl Notes {
    fn new() -> Self {
        Self(Mutex::new([("tea".to_owned(), "Buy green tea.".to_owned())].into()))
    }

    fn names(&self) -> Vec<String> {
        self.0.lock().unwrap().keys().cloned().collect()
    }

    fn read(&self, name: &str) -> Option<String> {
        self.0.lock().unwrap().get(name).cloned()
    }

    /// Returns whether the note is new.
    fn write(&self, name: String, text: String) -> bool {
        self.0.lock().unwrap().insert(name, text).is_none()
    }
}

// ANCHOR: fixed
/// How to write notes.
#[mcp_resource("notes://help", mime_type = "text/markdown", ttl = "1h", cache_scope = "public")]
async fn help() -> &'static str {
    "# Notes\n\nA note has a name and a text."
}
// ANCHOR_END: fixed

// ANCHOR: template
/// A note.
#[mcp_resource("notes://all/{name}{?lines}", mime_type = "text/plain", list = all_notes)]
async fn note(
    notes: &Notes,
    #[complete(note_names)] name: String,
    /// How many lines to read.
    lines: Option<usize>,
) -> Result<String> {
    let text = notes.read(&name).ok_or(ResourceNotFound)?;
    Ok(text.lines().take(lines.unwrap_or(usize::MAX)).collect::<Vec<_>>().join("\n"))
}

async fn all_notes(notes: &Notes, request: ListRequest) -> Vec<ResourceEntry> {
    notes.names().into_iter().map(|name| ResourceEntry::new(request.uri([("name", &name)]), &name)).collect()
}

async fn note_names(notes: &Notes, _request: CompletionRequest) -> Vec<String> {
    notes.names()
}
// ANCHOR_END: template

// ANCHOR: changes
/// Saves a text under a name. A note that exists is replaced.
#[mcp_tool]
async fn write_note(notes: &Notes, resources: &ResourceList, name: String, text: String) -> &'static str {
    let uri = format!("notes://all/{name}");
    if notes.write(name, text) {
        resources.notify();
        "a new note"
    } else {
        resources.updated(&uri);
        "an old note with a new text"
    }
}
// ANCHOR_END: changes

// ANCHOR: prompt
#[derive(Choice)]
enum Length {
    Sentence,
    Paragraph,
}

/// Summarize a note.
#[mcp_prompt(title = "Summarize")]
async fn summarize(
    notes: &Notes,
    /// The name of the note.
    #[complete(note_names)]
    name: String,
    /// How long. Default: a sentence.
    length: Option<Length>,
) -> Result<PromptMessage> {
    let text = notes.read(&name).ok_or_else(|| format!("there is no note `{name}`"))?;
    let length = match length.unwrap_or(Length::Sentence) {
        Length::Sentence => "a sentence",
        Length::Paragraph => "a paragraph",
    };
    Ok(PromptMessage::user(format!("Summarize this in {length}:\n\n{text}")))
}
// ANCHOR_END: prompt

// ANCHOR: server
fn server() -> Server {
    Server::new("notes", "1.0.0")
        .state(Notes::new())
        .resources(resources![help, note])
        .prompts(prompts![summarize])
        .tools(tools![write_note])
        // Declares from the beginning that the list of resources changes.
        .dynamic_resources()
}
// ANCHOR_END: server

// ANCHOR: read
#[tokio::test]
async fn a_client_lists_reads_and_completes() {
    let service = server().build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision);
        let uris: Vec<_> = client.resources().await.into_iter().map(|one| one["uri"].clone()).collect();
        assert_eq!(uris, ["notes://help", "notes://all/tea"]);
        assert_eq!(client.templates().await[0]["uriTemplate"], "notes://all/{name}{?lines}");

        assert_eq!(client.read("notes://all/tea?lines=1").await.text(), "Buy green tea.");
        assert!(client.read("notes://all/coffee").await.is_not_found());
        let typed = client.complete_template("notes://all/{name}{?lines}", "name", "t").await;
        assert_eq!(typed.completion().values, ["tea"]);
    }
}
// ANCHOR_END: read

// ANCHOR: notices
#[tokio::test]
async fn a_subscriber_learns_about_changes() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let service = server().build().unwrap();
        let mut client = Client::new(&service, revision);
        let tea = Notice::Updated("notes://all/tea".to_owned());
        client.subscribed([tea.clone(), Notice::Resources]).await;

        client.call("write_note", json!({ "name": "tea", "text": "Done." })).await;
        assert_eq!(client.notice().await, tea);
        client.call("write_note", json!({ "name": "milk", "text": "Buy it." })).await;
        assert_eq!(client.notice().await, Notice::Resources);

        client.unsubscribed().await;
        client.call("write_note", json!({ "name": "tea", "text": "Again." })).await;
        assert!(!client.notices(Duration::from_millis(50)).await.contains(&tea));
    }
}
// ANCHOR_END: notices

#[tokio::test]
async fn a_variable_that_cannot_be_read_is_an_error() {
    let mut client = Client::modern(&server().build().unwrap());
    let error = client.read("notes://all/tea?lines=some").await;
    assert_eq!(error.error().unwrap().code, -32602);
    // A decoded value can contain what a path must not.
    assert!(client.read("notes://all/..%2Fsecret").await.is_not_found());
    assert_eq!(client.read("notes://help").await.text(), "# Notes\n\nA note has a name and a text.");
}

#[tokio::test]
async fn a_prompt_takes_text() {
    let service = server().build().unwrap();
    for revision in Revision::ALL {
        let mut client = Client::new(&service, revision);
        let prompt = client.prompt("summarize", json!({ "name": "tea", "length": "paragraph" })).await;
        assert_eq!(prompt.messages().len(), 1);
        assert!(prompt.result()["messages"][0].to_string().contains("Summarize this in a paragraph"));
        assert_eq!(client.complete("summarize", "length", "s").await.completion().values, ["sentence"]);
        let unknown = client.prompt("summarize", json!({ "name": "milk" })).await;
        assert_eq!(unknown.error().unwrap().message, "there is no note `milk`");
    }
}
