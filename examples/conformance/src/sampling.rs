//! Tools that ask the client's model, alone and together with the user.

use mcp_runtime::{Result, call::Capability, prelude::*};
use tokio::try_join;

use crate::rounds::{Questions, UserName};

/// Asks the model, and repeats its reply.
#[mcp_tool(read_only, requires(sampling))]
pub(crate) async fn test_sampling(
    ctx: &Ctx,
    /// What the model reads.
    prompt: String,
) -> Result<String> {
    let reply = ctx.sample(prompt).max_tokens(100).await?;
    Ok(format!("LLM response: {}", reply.text))
}

/// Asks the model for the capital of France.
#[mcp_tool(read_only, requires(sampling))]
pub(crate) async fn test_input_required_result_sampling(ctx: &Ctx) -> Result<String> {
    let capital = ctx.sample("What is the capital of France?").key("capital_question").max_tokens(100).await?;
    Ok(format!("The model says: {}", capital.text))
}

/// Asks the user, the model and the client at once, and returns all three answers.
#[mcp_tool(read_only, requires(sampling, roots))]
pub(crate) async fn test_input_required_result_multiple_inputs(ctx: &Ctx<Questions>) -> Result<String> {
    let name = ctx.elicit::<UserName>("What is your name?").strict();
    let greeting = ctx.sample("Generate a greeting").key("greeting").max_tokens(50);
    let roots = ctx.roots().key("client_roots");
    let (UserName { name }, greeting, roots) = try_join!(name, greeting, roots)?;
    let roots: Vec<_> = roots.iter().map(|root| root.uri.as_str()).collect();
    Ok(format!("{}, {name}! You work in: {}", greeting.text, roots.join(", ")))
}

/// Asks for as much as the client can answer, one thing after the other.
#[mcp_tool(read_only, optional(elicitation, sampling, roots))]
pub(crate) async fn test_input_required_result_capabilities(ctx: &Ctx<Questions>) -> Result<String> {
    let client = ctx.client();
    let mut answers = Vec::new();
    if client.can_elicit() {
        let UserName { name } = ctx.elicit("What is your name?").strict().await?;
        answers.push(format!("The user is {name}."));
    }
    if ctx.can_sample() {
        let greeting = ctx.sample("Generate a greeting").key("greeting").max_tokens(50).await?;
        answers.push(format!("The model says: {}", greeting.text));
    }
    if client.supports(Capability::Roots) {
        let roots = ctx.roots().key("client_roots").await?;
        answers.push(format!("The client works in {} folders.", roots.len()));
    }
    Ok(if answers.is_empty() { "The client supports no questions.".to_owned() } else { answers.join(" ") })
}
