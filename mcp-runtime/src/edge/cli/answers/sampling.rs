//! Lets the user answer the questions that the server asks a model.

use serde_json::Value;

use super::given::unnumbered;
use crate::{
    edge::cli::{
        items::askable::model_answer,
        terminal::{
            content::in_words,
            harmless,
            layout::indented_text,
            prompt::{self, HangupWatch, UnansweredQuestion},
            tell,
        },
    },
    serve::client::Question,
    wire::protocol::json::object,
};

/// Prompts the user for a reply, and returns a `CreateMessageResult` if there is one.
pub(crate) fn ask(question: &Question) -> Result<Option<Value>, UnansweredQuestion> {
    let _watch = HangupWatch::start();
    // The conversation ends with an empty line.
    let conversation = conversation(&question.params);
    let conversation = conversation.strip_suffix('\n').unwrap_or_default();
    tell(format_args!("The tool asks a model. You reply instead of the model.\n\n{conversation}"));
    let mut lines = Vec::new();
    loop {
        match prompt::lines("Reply:", "Esc to skip the reply.", &mut lines)? {
            Some(text) => return Ok(Some(reply(&text))),
            None if leave()? => return Ok(None),
            None => {}
        }
    }
}

/// Returns the whole question, with an example of an answer on the command line.
pub(crate) fn described(question: &Question) -> String {
    let key = unnumbered(&question.key);
    let conversation = indented_text(&conversation(&question.params));
    format!(
        "{conversation}Reply with `{}`, or decline with `--answer {key}=decline`; to let a model reply, add a provider to the \
         server with `.sampling_provider(…)`",
        model_answer(key)
    )
}

/// Returns all that the model would read.
fn conversation(params: &Value) -> String {
    let mut told = String::new();
    let mut say = |who: &str, text: &str| {
        told.push_str(&format!("{who}:\n{}\n", indented_text(harmless(text).trim_end())));
    };
    if let Some(system) = params["systemPrompt"].as_str() {
        say("System", system);
    }
    for message in params["messages"].as_array().into_iter().flatten() {
        let who = if message["role"] == "assistant" { "Assistant" } else { "User" };
        // The content is one block, or a list.
        let content = &message["content"];
        let blocks = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
        let texts: Vec<_> = blocks.iter().map(in_words).collect();
        say(who, &texts.join("\n"));
    }
    told
}

/// Reads a reply from the command line into a `CreateMessageResult`. Returns `None` if the text is `decline` or
/// `cancel`.
pub(crate) fn read_reply(text: &str) -> Option<Value> {
    if matches!(text, "decline" | "cancel") {
        return None;
    }
    // A JSON string stands for its text, so that any text can be given.
    let text = serde_json::from_str::<String>(text).unwrap_or_else(|_| text.to_owned());
    Some(reply(&text))
}

fn reply(text: &str) -> Value {
    object([
        ("role", "assistant".into()),
        ("content", object([("type", "text".into()), ("text", text.into())])),
        ("model", "a person at the terminal".into()),
        ("stopReason", "endTurn".into()),
    ])
}

/// After the user has pressed Esc, asks whether to give no reply.
fn leave() -> Result<bool, UnansweredQuestion> {
    let ways = vec![("Go back to the reply", false), ("Skip: the tool continues without a reply, or fails", true)];
    prompt::choose("Skip the reply?", ways, true, "↑↓ to move, Enter to choose, Esc again to skip the reply")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shows_all_that_a_model_would_read() {
        let picture = json!({ "type": "image", "data": "A".repeat(16_000), "mimeType": "image/png" });
        let params = json!({
            "systemPrompt": "Be\u{1b}[2J brief.",
            "messages": [
                { "role": "user", "content": [{ "type": "text", "text": "What is\n\nthis?" }, picture] },
                { "role": "assistant", "content": { "type": "text", "text": "A cat." } },
                { "role": "user", "content": { "type": "hologram", "x": 1 } },
            ],
            "maxTokens": 9,
        });
        let told = "  System:
    Be[2J brief.

  User:
    What is

    this?
    [image/png, 12 KB]

  Assistant:
    A cat.

  User:
    [content of an unknown type]

Reply with `--answer sample=TEXT`, or decline with `--answer sample=decline`; to let a model reply, add a provider to \
                    the server with `.sampling_provider(…)`";
        assert_eq!(described(&Question::new("sample".into(), "sampling/createMessage".into(), params)), told);
    }

    #[test]
    fn reads_a_reply_as_text_or_json_string() {
        let text = |given: &str| read_reply(given).map(|reply| reply["content"]["text"].clone());
        assert_eq!(text("Paris"), Some(json!("Paris")));
        assert_eq!(text(r#"{"cell": 5}"#), Some(json!(r#"{"cell": 5}"#)));
        assert_eq!(text("7"), Some(json!("7")));
        assert_eq!(text(r#""decline""#), Some(json!("decline")));
        assert_eq!(text("decline"), None);
        assert_eq!(text("cancel"), None);
    }
}
