//! Checks results against the output schemas of their tools.

use crate::{
    edge::testing::{client::Client, compare::CallAnswer, script::request::Misfit},
    serve::client::ClientRequest,
};

/// Checks the structured content of a tool's result against the tool's output schema. Not possible if the server runs in another
/// process.
pub(crate) fn checked_output(
    client: &Client,
    target: &ClientRequest,
    answer: CallAnswer,
) -> Result<CallAnswer, Misfit> {
    let Some(tool) = client.registered(target).filter(|tool| tool.is_tool()) else { return Ok(answer) };
    let (Some(schema), Ok(result)) = (&tool.output, &answer) else { return Ok(answer) };
    let is_complete = result.get("resultType").is_none_or(|kind| kind == "complete");
    if !is_complete || result["isError"] == true || !schema.is_carried(client.settings.profile.revision) {
        return Ok(answer);
    }
    let violations = match result.get("structuredContent") {
        Some(content) => schema.violations(&content.to_string()),
        None => Some("- the result has no structured content".to_owned()),
    };
    match violations {
        None => Ok(answer),
        Some(lines) => Err(Misfit::Server(format!(
            "the result violates the tool's own output schema, so clients reject it:\n{lines}\nThe type is serialized \
             in another form than its schema says. Common causes are `#[serde(skip_serializing_if)]`, \
             `#[serde(serialize_with)]`, a `Serialize` or `JsonSchema` that is written by hand, and \
             `#[schemars(with)]`; change one of the two",
        ))),
    }
}
