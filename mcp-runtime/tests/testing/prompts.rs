//! Prompts and completions.

use mcp_runtime::{
    Content, Result, Revision, Server, Service, complete::CompletionRequest, content::ResourceLink, in_every_mode,
    prelude::*, prompt::PromptMessage, testing::Client,
};
use serde_json::json;

use crate::testing::support::{lead, panic_of};

#[elicits]
enum Letter {
    Topic { topic: String },
}

async fn languages(request: CompletionRequest) -> Result<Vec<&'static str>> {
    match request.argument("code") {
        Some("broken") => Err("the languages cannot be read".into()),
        Some("fn main") => Ok(vec!["rust"]),
        _ => Ok(vec!["rust", "ruby", "go"]),
    }
}

/// Asks for a review.
#[mcp_prompt]
async fn review(ctx: &Ctx, code: String, #[complete(languages)] language: Option<String>) -> [PromptMessage; 3] {
    ctx.log(Level::Info, "reviewing");
    ctx.progress(0.5);
    [
        PromptMessage::user(format!("Review this {}: {code}", language.as_deref().unwrap_or("code"))),
        PromptMessage::user(Content::from(ResourceLink::new("file:///a.rs", "a.rs"))),
        PromptMessage::assistant("I see"),
    ]
}

/// Asks for a letter.
#[mcp_prompt(replayable)]
async fn letter(ctx: &Ctx<Letter>, to: String) -> Result<String> {
    match ctx.elicit::<Topic>(format!("What about, to {to}?")).await? {
        Elicited::Accept(Topic { topic }) => Ok(format!("Write to {to} about {topic}.")),
        _ => Err("no letter without a topic".into()),
    }
}

/// Asks a question that is different each time.
#[mcp_prompt(replayable)]
async fn hasty(ctx: &Ctx<Letter>) -> Result<String> {
    static ASKED: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = ASKED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let Topic { topic } = ctx.elicit::<Topic>(format!("Question {number}")).strict().await?;
    Ok(topic)
}

/// Asks a model for a title.
#[mcp_prompt(requires(sampling))]
async fn titled(ctx: &Ctx, text: String) -> Result<String> {
    Ok(ctx.sample(format!("A title for: {text}")).await?.text)
}

fn server() -> Server {
    Server::new("prompts", "1").page_size(2).prompts(prompts![review, letter, hasty, titled])
}

fn service() -> Service {
    server().build().unwrap()
}

fn topic() -> Topic {
    Topic { topic: "engines".to_owned() }
}

#[tokio::test]
async fn a_prompt_has_messages_in_every_revision() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let review = client.prompt("review", json!({ "code": "fn main", "language": "rust" })).await;
        let messages = review.messages();
        assert_eq!(messages[0].role, "user");
        assert_eq!(messages[0].text(), "Review this rust: fn main");
        assert_eq!(messages[2].role, "assistant");
        assert!(review.text().starts_with("Review this rust: fn main\n") && review.text().ends_with("I see"));
        assert_eq!(review.result()["description"], "Asks for a review.");
        assert_eq!(review.logs()[0].data, "reviewing");
        assert_eq!(review.progress()[0].progress, 0.5);
        assert!(!review.is_error());
    }
}

#[tokio::test]
async fn all_pages_of_prompts_are_listed() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision).capabilities(json!({ "elicitation": {}, "sampling": {} }));
        let prompts = client.prompts().await;
        let names: Vec<_> = prompts.iter().map(|prompt| prompt["name"].as_str().unwrap()).collect();
        assert!(names.starts_with(&["review"]), "{revision}: {names:?}");
        assert!(names.len() > 2 || !revision.is_modern(), "{revision}: {names:?}");
    }
}

#[tokio::test]
async fn a_prompt_asks_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let letter = client.prompt("letter", json!({ "to": "Ada" })).accept(topic()).await;
        assert_eq!(letter.text(), "Write to Ada about engines.");
        assert_eq!(letter.asked()[0].message(), "What about, to Ada?");

        let declined = client.prompt("letter", json!({ "to": "Ada" })).decline().await;
        assert_eq!(declined.error().unwrap().message, "no letter without a topic");

        let completed = client.complete("review", "language", "ru").await.completion();
        assert_eq!(completed.values, ["rust", "ruby"]);
        mode.same("completion", completed);
    });
}

#[tokio::test]
async fn links_of_prompts_are_compared_as_far_as_a_revision_carries_them() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        client.prompt("review", json!({ "code": "fn main" })).await;
    });
}

#[tokio::test]
async fn a_prompt_samples_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let titled = client.prompt("titled", json!({ "text": "…" })).sampled("A title").await;
        assert_eq!(titled.text(), "A title");
    });
    for client in [Client::modern(&service()), Client::legacy(&service(), Revision::V2025_11_25)] {
        let failed = client.without_sampling().prompt("titled", json!({ "text": "…" })).await;
        assert!(failed.error().unwrap().message.contains("sampling"), "{failed:?}");
    }
}

#[tokio::test]
async fn a_prompt_with_random_questions_differs_between_modes() {
    let text = panic_of(async {
        in_every_mode!(|mode| {
            mode.client(server).prompt("hasty", ()).accept(topic()).await;
        });
    });
    let text = text.await;
    assert!(text.starts_with("the prompt `hasty` (mcp-runtime/tests/testing/prompts.rs:"), "{text}");
    assert!(lead(&text).contains(" differs between modes in the message of the question `topic`\n"), "{text}");
}

#[tokio::test]
async fn a_prompt_is_checked_for_replay_safety() {
    let mut client = Client::modern(&service());
    let letter = client.prompt("letter", json!({ "to": "Ada" })).accept(topic()).assert_replay_safe().await;
    assert_eq!(letter.text(), "Write to Ada about engines.");

    let text = panic_of(client.prompt("hasty", ()).accept(topic()).assert_replay_safe().into_future()).await;
    assert!(lead(&text).contains(") is not replay-safe: the call was run again"), "{text}");

    let text = panic_of(client.prompt("review", ()).assert_replay_safe().into_future()).await;
    assert!(text.starts_with("cannot check whether the prompt `review` ("), "{text}");
    assert!(text.ends_with("the prompt is never replayed, because it is neither a handoff nor `replayable`"), "{text}");

    let text = panic_of(client.prompt("reviews", ()).assert_replay_safe().into_future()).await;
    assert!(text.ends_with("the server has no prompt of this name"), "{text}");
}

#[tokio::test]
async fn a_completion_uses_the_other_arguments() {
    for revision in Revision::ALL {
        let mut client = Client::new(&service(), revision);
        let completed = client.complete("review", "language", "").await.completion();
        assert_eq!((completed.values.len(), completed.total, completed.has_more), (3, Some(3), false));

        let completed = client.complete("review", "language", "r").filled("code", "fn main").await;
        assert_eq!(completed.completion().values, ["rust"]);

        let failed = client.complete("review", "language", "r").filled("code", "broken").await;
        assert_eq!(failed.error().unwrap().message, "the languages cannot be read");

        let unknown = client.complete("reviews", "language", "r").await;
        assert_eq!(unknown.error().unwrap().message, "Unknown prompt: reviews");
    }
}

#[tokio::test]
async fn a_script_that_does_not_fit_names_the_prompt() {
    let mut client = Client::modern(&service());
    let text = panic_of(client.prompt("letter", json!({ "to": "Ada" })).into_future()).await;
    assert!(
        text.starts_with("the script does not fit the prompt `letter` (mcp-runtime/tests/testing/prompts.rs:"),
        "{text}"
    );
    let text = panic_of(client.prompt("review", json!({ "code": "" })).decline().into_future()).await;
    assert!(text.contains(": the call did not ask for these answers:\n  `decline` ("), "{text}");

    let review = client.prompt("review", json!({ "code": "" })).await;
    let text = panic_of(async { review.completion() }).await;
    assert!(
        text.starts_with("the result has no `completion`, because the request was not made with `Client::complete`:"),
        "{text}"
    );
    let failed = client.prompt("review", ()).await;
    let text = panic_of(async { failed.messages() }).await;
    assert!(text.starts_with("the call has no result; it failed with the error -32602: "), "{text}");
}

#[tokio::test]
async fn a_prompt_is_cancelled_at_its_question() {
    let mut client = Client::legacy(&service(), Revision::V2025_11_25);
    let letter = client.prompt("letter", json!({ "to": "Ada" })).cancel_call().await;
    assert!(letter.is_cancelled());
    assert_eq!(client.prompt("letter", json!({ "to": "Ada" })).accept(topic()).await.asked().len(), 1);
}
