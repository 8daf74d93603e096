//! A service with every kind of route and input.

use std::{collections::BTreeMap, sync::Mutex};

use mcp_runtime::{
    contract,
    contract::{Contract, ErrorStatus},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Note {
    id: u64,
    title: String,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateNote {
    /// What is to be remembered.
    #[schemars(length(min = 1))]
    title: String,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ChangeNote {
    id: u64,
    title: String,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Order {
    Newest,
    Oldest,
}

#[derive(Deserialize, Serialize, JsonSchema, Debug)]
pub(crate) struct Range {
    from: u64,
    to: u64,
}

#[derive(Deserialize, JsonSchema, Serialize, Debug)]
pub(crate) struct ListNotes {
    /// Only titles that contain this.
    filter: Option<String>,
    page: Option<u32>,
    order: Option<Order>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    short: bool,
    range: Option<Range>,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum NoteError {
    #[error("there is no note {0}")]
    NotFound(u64),
    #[error("the title `{0}` is taken")]
    Taken(String),
}

impl ErrorStatus for NoteError {
    const STATUSES: &'static [u16] = &[404, 409];

    fn status(&self) -> u16 {
        match self {
            Self::NotFound(_) => 404,
            Self::Taken(_) => 409,
        }
    }
}

#[derive(Default)]
pub(crate) struct Notes(Mutex<BTreeMap<u64, Note>>);

/// The notes of a team.
#[contract(resource = "notes")]
impl Notes {
    /// Creates a note.
    async fn create(&self, input: CreateNote) -> Result<Note, NoteError> {
        let mut notes = self.0.lock().unwrap();
        if notes.values().any(|note| note.title == input.title) {
            return Err(NoteError::Taken(input.title));
        }
        let id = notes.keys().last().map_or(1, |last| last + 1);
        let note = Note { id, title: input.title, tags: input.tags };
        notes.insert(id, note.clone());
        Ok(note)
    }

    /// Returns a note.
    async fn get(&self, id: u64) -> Result<Note, NoteError> {
        self.0.lock().unwrap().get(&id).cloned().ok_or(NoteError::NotFound(id))
    }

    /// Lists what it was asked for, and the number of notes.
    async fn list(&self, input: ListNotes) -> (ListNotes, usize) {
        (input, self.0.lock().unwrap().len())
    }

    /// Replaces a note.
    async fn update(&self, input: ChangeNote) -> Result<Note, NoteError> {
        let mut notes = self.0.lock().unwrap();
        let note = notes.get_mut(&input.id).ok_or(NoteError::NotFound(input.id))?;
        *note = Note { id: input.id, title: input.title, tags: input.tags };
        Ok(note.clone())
    }

    /// Changes the title of a note.
    async fn patch(&self, id: u64, title: Option<String>) -> Result<Note, NoteError> {
        let mut notes = self.0.lock().unwrap();
        let note = notes.get_mut(&id).ok_or(NoteError::NotFound(id))?;
        note.title = title.unwrap_or_else(|| note.title.clone());
        Ok(note.clone())
    }

    /// Deletes a note.
    async fn delete(&self, id: u64) -> Result<(), NoteError> {
        self.0.lock().unwrap().remove(&id).map(drop).ok_or(NoteError::NotFound(id))
    }

    /// Searches notes.
    async fn search(&self, text: String) -> Vec<Note> {
        self.0.lock().unwrap().values().filter(|note| note.title.contains(&text)).cloned().collect()
    }

    /// Deletes all notes.
    async fn clear(&self) {
        self.0.lock().unwrap().clear();
    }

    /// Returns notes by their title.
    #[method(verb = "GET", path = "/notes/by-title/{title}")]
    async fn by_title(&self, title: String) -> Vec<Note> {
        self.search(title).await
    }

    /// Counts the letters of each label.
    async fn label(&self, input: BTreeMap<String, String>) -> BTreeMap<String, usize> {
        input.into_iter().map(|(name, label)| (name, label.len())).collect()
    }

    /// Returns its parameters, of which the first can be left out.
    async fn ordered(&self, first: Option<u8>, second: u8, third: Option<u8>) -> String {
        format!("{first:?} {second} {third:?}")
    }

    /// Sends a note to somebody, later.
    #[method(verb = "POST", path = "/notes/{note}/copies/{to}", status = 202)]
    async fn send(&self, note: u64, to: String, urgent: Option<bool>) -> String {
        format!("{note} to {to}, {}", urgent.unwrap_or_default())
    }
}

pub(crate) struct Status;

/// The state of the server.
#[contract(resource = "server_status")]
impl Status {
    /// Returns the state.
    async fn get(&self) -> String {
        "fine".to_owned()
    }

    /// Fails without a status.
    async fn fail(&self) -> Result<(), std::io::Error> {
        Err(std::io::Error::other("the disk is full"))
    }

    /// Panics.
    async fn crash(&self) {
        panic!("as it must");
    }

    /// Does not end.
    #[method(timeout = "10ms")]
    async fn wait(&self) {
        std::future::pending::<()>().await;
    }
}

pub(crate) fn contract() -> Contract {
    let contract = Contract::builder("notes").version("2.1.0").description("Notes of a team.");
    contract.resource(Notes::default().into_resource()).resource(Status.into_resource()).build().unwrap()
}
