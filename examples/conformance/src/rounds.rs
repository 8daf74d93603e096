//! Tools whose calls take several requests since 2026-07-28: a request ends with questions, and the next request
//! carries the answers.

use mcp_runtime::{Result, prelude::*};

/// The forms of these tools. The suite identifies the questions by their keys, which are the names of the forms.
#[elicits]
#[derive(Debug)]
pub(crate) enum Questions {
    /// Who is there.
    UserName { name: String },
    /// Whether to continue.
    Confirm { ok: bool },
    /// The first of two questions.
    Step1 { name: String },
    /// The second, asked when the first is answered.
    Step2 { color: String },
}

/// Asks for a name, and greets.
#[mcp_tool(read_only)]
pub(crate) async fn test_input_required_result_elicitation(ctx: &Ctx<Questions>) -> Result<String> {
    let UserName { name } = ctx.elicit("What is your name?").strict().await?;
    Ok(format!("Hello, {name}!"))
}

/// Asks which folders the client works in, and names them.
#[mcp_tool(read_only, requires(roots))]
pub(crate) async fn test_input_required_result_list_roots(ctx: &Ctx) -> Result<String> {
    let roots = ctx.roots().key("client_roots").await?;
    let uris: Vec<_> = roots.iter().map(|root| root.uri.as_str()).collect();
    Ok(format!("The client works in: {}", uris.join(", ")))
}

/// Asks for a confirmation. The answer counts only with the state that came with the question.
#[mcp_tool(read_only)]
pub(crate) async fn test_input_required_result_request_state(ctx: &Ctx<Questions>) -> Result<String> {
    confirmed(ctx).await
}

/// The same, for clients that tamper with the state.
#[mcp_tool(read_only)]
pub(crate) async fn test_input_required_result_tampered_state(ctx: &Ctx<Questions>) -> Result<String> {
    confirmed(ctx).await
}

/// Asks one thing after the other.
#[mcp_tool(read_only)]
pub(crate) async fn test_input_required_result_multi_round(ctx: &Ctx<Questions>) -> Result<String> {
    let Step1 { name } = ctx.elicit("Step 1: What is your name?").strict().await?;
    let Step2 { color } = ctx.elicit("Step 2: What is your favorite color?").strict().await?;
    Ok(format!("{name}'s favorite color is {color}."))
}

async fn confirmed(ctx: &Ctx<Questions>) -> Result<String> {
    let Confirm { ok } = ctx.elicit("Please confirm").strict().await?;
    Ok(format!("state-ok, and the answer is {}", if ok { "yes" } else { "no" }))
}
