//! A prompt with every kind of parameter and every key compiles.

use mcp_runtime::{Result, complete::CompletionRequest, prelude::*};

struct Style(&'static str);

#[derive(Choice)]
enum Tone {
    Formal,
    Friendly,
}

#[derive(Form)]
struct Topic {
    topic: String,
}

#[elicits]
enum Letter {
    Topic(Topic),
}

async fn names(request: CompletionRequest) -> Result<Vec<String>> {
    let Style(style) = request.state()?;
    Ok(vec![(*style).to_owned()])
}

/// Asks for a letter.
#[mcp_prompt(
    name = "write-letter",
    title = "Write a letter",
    optional(elicitation),
    timeout = "30s",
    answer_within = "5m",
    replayable,
    register = LetterPrompt,
    meta("example.com/key" = 1)
)]
async fn letter(
    ctx: &Ctx<Letter>,
    style: &Style,
    /// To whom.
    #[arg(name = "to", title = "To")]
    #[complete(names)]
    recipient: String,
    tone: Option<Tone>,
    _pages: Option<u8>,
) -> Result<Vec<PromptMessage>> {
    let topic = match ctx.elicit::<Topic>("About what?").await? {
        Elicited::Accept(Topic { topic }) => topic,
        _ => "anything".to_owned(),
    };
    let tone = if matches!(tone, Some(Tone::Friendly)) { "friendly" } else { "formal" };
    Ok(vec![PromptMessage::user(format!("Write a {tone}, {} letter to {recipient} about {topic}.", style.0))])
}

/// Asks for a summary.
#[mcp_prompt]
async fn call(arguments: String) -> Content {
    Content::text(arguments)
}

fn main() {
    let server = Server::new("s", "1.0.0").state(Style("short")).prompts(prompts![LetterPrompt, call]);
    let manifest = server.build().expect("the server is complete").manifest();
    assert_eq!(manifest["prompts"][0]["arguments"][0]["name"], "to");
    assert_eq!(manifest["prompts"][0]["arguments"][2]["name"], "pages");
    assert_eq!(manifest["prompts"][1]["name"], "call");
}
