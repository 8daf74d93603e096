//! Shows the messages of a prompt on standard output.

use std::process::ExitCode;

use serde_json::{Value, value::RawValue};

use super::{
    outcome::{in_words, with_newline},
    read_json,
};
use crate::edge::cli::commands::terminal::print;

/// Writes the messages of a `GetPromptResult`, as JSON or as text for people.
pub(super) fn show(result: &RawValue, json: bool) -> ExitCode {
    if json {
        return print(&format!("{}\n", result.get()), ExitCode::SUCCESS);
    }
    let prompt = read_json(result);
    print(&to_text(prompt["messages"].as_array().map_or(&[], Vec::as_slice)), ExitCode::SUCCESS)
}

/// Shows each message below its role. A single message of the user is shown alone, so that it can be piped to a program.
fn to_text(messages: &[Value]) -> String {
    let content = |message: &Value| with_newline(in_words(&message["content"]));
    match messages {
        [message] if message["role"] == "user" => content(message),
        messages => {
            let role = |message: &Value| message["role"].as_str().unwrap_or_default().to_owned();
            let shown = |message: &Value| format!("[{}]\n{}", role(message), content(message));
            messages.iter().map(shown).collect::<Vec<_>>().join("\n")
        }
    }
}
