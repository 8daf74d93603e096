//! The stored record of a run, and its status.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::details::RunDetails;
use crate::{base::random, wire::protocol::text::push_json};

/// The bytes that are counted for the parts of a record other than its owner and its details.
const RECORD: u64 = 1024;

/// The record that a [`RunStore`](super::RunStore) keeps of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// Identifies the run. It is random, so it cannot be guessed.
    pub id: String,
    /// The name of the tool.
    pub tool: String,
    /// The name of the action.
    pub action: String,
    /// The name of the principal that began the run. `None` if the client had no principal.
    pub owner: Option<String>,
    /// The current status of the run.
    pub status: RunStatus,
    /// Identifies the server process that executes the run, or that executed it last.
    pub instance: String,
    /// When the run began, in milliseconds since 1970.
    pub created_at: u64,
    /// When the record was last written, in milliseconds since 1970.
    pub updated_at: u64,
    /// Counts the writes of the record. A writer can replace a record only if the stored version is still the version
    /// that the writer has read.
    pub version: u64,
    /// How many bytes the run counts against the [`RunLimits`](super::RunLimits): those of its record and, while it is
    /// open, those of its arguments in memory.
    pub bytes: u64,
    /// The inputs, the result, the trace and the open questions, as JSON text. A store does not interpret it.
    pub details: Arc<str>,
}

/// The status of a run. The first five are also the statuses of a task in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// The run is in progress.
    Working,
    /// The run waits for an answer of its owner.
    InputRequired,
    /// The run has ended with a result.
    Completed,
    /// The run has ended with an error.
    Failed,
    /// The owner has cancelled the run.
    Cancelled,
    /// The server process stopped before the run ended.
    Interrupted,
}

impl RunRecord {
    /// Creates the record of a run that begins now.
    pub(crate) fn new(tool: &str, action: &str, owner: Option<&str>, instance: &str, now: u64) -> Self {
        let mut record = Self {
            id: random::hex(),
            tool: tool.to_owned(),
            action: action.to_owned(),
            owner: owner.map(str::to_owned),
            status: RunStatus::Working,
            instance: instance.to_owned(),
            created_at: now,
            updated_at: now,
            version: 0,
            bytes: 0,
            details: "{}".into(),
        };
        record.bytes = record.stored_bytes();
        record
    }

    /// Returns the details. If this version of the server cannot read them, returns empty details.
    pub(crate) fn read_details(&self) -> RunDetails<'_> {
        RunDetails::read(&self.details)
    }

    /// Ends the run with this status and without a result. Removes what only an open run needs.
    pub(super) fn close(&mut self, status: RunStatus) {
        self.status = status;
        let text = Arc::clone(&self.details);
        let mut details = RunDetails::read(&text);
        details.questions.clear();
        details.answers.clear();
        self.set_details(&details);
    }

    /// Sets the details. The run keeps the bytes that were counted for its arguments, until it has ended.
    pub(super) fn set_details(&mut self, details: &RunDetails<'_>) {
        let arguments = if self.status.is_open() { self.bytes.saturating_sub(self.stored_bytes()) } else { 0 };
        let mut text = Vec::with_capacity(self.details.len() + 512);
        push_json(&mut text, details);
        // The bytes come from strings only.
        self.details = String::from_utf8(text).unwrap_or_default().into();
        self.bytes = self.stored_bytes() + arguments;
    }

    /// Returns how many bytes are counted for the record itself.
    pub(crate) fn stored_bytes(&self) -> u64 {
        let owner = self.owner.as_ref().map_or(0, String::len);
        RECORD + (owner + self.details.len()) as u64
    }
}

impl RunStatus {
    /// All statuses.
    pub const ALL: [Self; 6] =
        [Self::Working, Self::InputRequired, Self::Completed, Self::Failed, Self::Cancelled, Self::Interrupted];

    /// Returns the name of the status, such as `input_required`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::InputRequired => "input_required",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }

    /// Returns the status with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Returns whether a run with this status is open: it has not ended yet.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Working | Self::InputRequired)
    }
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
