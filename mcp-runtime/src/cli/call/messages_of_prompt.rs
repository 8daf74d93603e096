//! Shows the messages of a prompt on standard output.

use std::process::ExitCode;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::outcome::in_words;
use crate::cli::terminal::{print, tell};

/// A `GetPromptResult`.
#[derive(Deserialize)]
struct ReadPrompt {
    messages: Vec<ReadMessage>,
}

#[derive(Deserialize)]
struct ReadMessage {
    role: String,
    content: Value,
}

/// Writes the messages, as JSON or as text for people.
pub(super) fn show(result: &RawValue, json: bool) -> ExitCode {
    if json {
        return print(&format!("{}\n", result.get()), ExitCode::SUCCESS);
    }
    match serde_json::from_str::<ReadPrompt>(result.get()) {
        Ok(prompt) => print(&prompt.to_text(), ExitCode::SUCCESS),
        Err(error) => {
            tell(format_args!("error: the result cannot be read: {error}"));
            ExitCode::FAILURE
        }
    }
}

impl ReadPrompt {
    /// Shows each message below its role. A single message of the user is shown alone, so that it can be piped to a
    /// program.
    fn to_text(&self) -> String {
        let line = |text: String| if text.ends_with('\n') { text } else { format!("{text}\n") };
        match &self.messages[..] {
            [message] if message.role == "user" => line(in_words(&message.content)),
            messages => {
                let shown = |message: &ReadMessage| format!("[{}]\n{}", message.role, line(in_words(&message.content)));
                messages.iter().map(shown).collect::<Vec<_>>().join("\n")
            }
        }
    }
}
