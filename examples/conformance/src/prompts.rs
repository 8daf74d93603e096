//! Prompts whose messages contain each kind of content, and one that asks.

use mcp_runtime::{Result, complete::CompletionRequest, content::EmbeddedResource, prelude::*};

use crate::content::pixel;

/// The form of the prompt that asks. The suite identifies the question by its key, which is the name of the form.
#[elicits]
#[derive(Debug)]
pub(crate) enum PromptQuestions {
    /// What the prompt is about.
    UserContext { context: String },
}

async fn arguments(_: CompletionRequest) -> Vec<&'static str> {
    vec!["test", "testing", "hello"]
}

/// Returns one message.
#[mcp_prompt]
pub(crate) async fn test_simple_prompt() -> &'static str {
    "This is a simple prompt for testing."
}

/// Returns a message with both arguments.
#[mcp_prompt]
pub(crate) async fn test_prompt_with_arguments(
    /// The first argument.
    #[complete(arguments)]
    arg1: String,
    /// The second argument.
    arg2: String,
) -> String {
    format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'")
}

/// Returns a resource, and a message about it.
#[mcp_prompt]
pub(crate) async fn test_prompt_with_embedded_resource(
    /// The URI of the resource.
    #[arg(name = "resourceUri")]
    resource_uri: String,
) -> [PromptMessage; 2] {
    let resource = EmbeddedResource::text(resource_uri, "Embedded resource content for testing.");
    [
        PromptMessage::user(resource.mime_type("text/plain")),
        PromptMessage::user("Please process the embedded resource above."),
    ]
}

/// Returns a picture, and a message about it.
#[mcp_prompt]
pub(crate) async fn test_prompt_with_image() -> [PromptMessage; 2] {
    [PromptMessage::user(pixel()), PromptMessage::user("Please analyze the image above.")]
}

/// Asks what the prompt is about.
#[mcp_prompt]
pub(crate) async fn test_input_required_result_prompt(ctx: &Ctx<PromptQuestions>) -> Result<String> {
    let UserContext { context } = ctx.elicit("What context should the prompt use?").strict().await?;
    Ok(format!("The context is: {context}"))
}
