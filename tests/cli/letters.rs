//! The prompts of the server.

use mcp_runtime::{Result, complete::CompletionRequest, prelude::*, prompt::PromptMessage};

/// How a letter sounds.
#[derive(Choice)]
enum Tone {
    Friendly,
    Formal,
}

#[elicits]
enum Letter {
    Topic { topic: String },
}

async fn people(request: CompletionRequest) -> Result<Vec<&'static str>> {
    match request.argument("tone") {
        Some("formal") => Ok(vec!["Lady Lovelace"]),
        Some("unknown") => Err("the people cannot be read".into()),
        _ => Ok(vec!["Ada", "Alan", "Grace"]),
    }
}

/// Ask for a letter. The user names its topic.
#[mcp_prompt(title = "A letter", replayable)]
async fn letter(
    ctx: &Ctx<Letter>,
    /// Who gets the letter.
    #[complete(people)]
    to: String,
    tone: Option<Tone>,
) -> Result<String> {
    ctx.log(Level::Info, "thinking");
    let tone = if matches!(tone, Some(Tone::Formal)) { "formal" } else { "friendly" };
    match ctx.elicit::<Topic>("About what?").await? {
        Elicited::Accept(Topic { topic }) => Ok(format!("Write a {tone} letter to {to} about {topic}.")),
        _ => Err("no letter without a topic".into()),
    }
}

/// Ask for a comparison.
#[mcp_prompt]
async fn compare(first: String, second: String, lines: Option<u8>) -> Vec<PromptMessage> {
    let lines = lines.map(|lines| format!(" in {lines} lines")).unwrap_or_default();
    vec![
        PromptMessage::user(format!("Compare {first} and {second}{lines}.")),
        PromptMessage::user(Content::image([0; 12_000], "image/png")),
        PromptMessage::assistant("Both"),
    ]
}

/// Ask for the news.
#[mcp_prompt]
async fn newest() -> &'static str {
    "What is new?"
}

pub(super) fn prompts() -> Vec<Box<dyn mcp_runtime::prompt::Prompt>> {
    prompts![letter, compare, newest].into_iter().collect()
}
