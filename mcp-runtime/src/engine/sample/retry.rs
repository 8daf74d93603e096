//! Asks a model until its reply is valid.

use super::{
    asking::ModelAsker,
    expected::{ExpectedSchema, SampleValue, in_words, unfit},
    messages::Messages,
    offer::Offer,
    reply::{GuaranteedSchema, GuaranteedTools, ParseError, SampleError, SampleValidation, ToolCall},
    setup::Setup,
    strategy::ReplyKind,
    tools::SampleTools,
};
use crate::wire::protocol::sampling::{Sampled, SamplingRequest, ToolChoice};

pub(super) async fn guaranteed_schema<T: SampleValue>(setup: Setup<'_>) -> Result<GuaranteedSchema<T>, SampleError> {
    let Setup { mut asker, mut prompt, retries, .. } = setup;
    let expected = ExpectedSchema::of::<T>()?;
    let before = prompt.messages.clone();
    loop {
        let reply = asker.ask(&prompt, ReplyKind::Value(&expected)).await?;
        match expected.parse(&reply, prompt.max_tokens) {
            Ok(parsed) => {
                let reply = in_words(reply);
                asker.remember(before, &reply);
                return Ok(GuaranteedSchema { parsed, reply, attempts: asker.asked });
            }
            Err(wrong) => {
                again("sample_schema", &asker, retries, &mut prompt, &reply, wrong)?;
            }
        }
    }
}

pub(super) async fn guaranteed_tools<E: SampleTools>(setup: Setup<'_>) -> Result<GuaranteedTools<E>, SampleError> {
    let Setup { mut asker, mut prompt, retries, .. } = setup;
    let offer = Offer::new(E::tools())?;
    let before = prompt.messages.clone();
    loop {
        let reply = asker.ask(&prompt, ReplyKind::Calls(&offer, ToolChoice::Required)).await?;
        let reply = offer.with_written_calls(reply);
        match all(offer.calls(&reply, prompt.max_tokens, E::read), &reply, prompt.max_tokens) {
            Ok((first, rest)) => {
                asker.remember(before, &reply);
                return Ok(GuaranteedTools { first, rest, reply, attempts: asker.asked });
            }
            Err(wrong) => {
                again("sample_tools", &asker, retries, &mut prompt, &reply, wrong)?;
            }
        }
    }
}

type ToolCalls<E> = (ToolCall<E>, Vec<ToolCall<E>>);

/// Returns the tool calls of a reply. Fails if there is no call, or if a call is invalid.
fn all<E>(
    calls: Vec<ToolCall<Result<E, ParseError>>>,
    reply: &Sampled,
    max_tokens: u32,
) -> Result<ToolCalls<E>, ParseError> {
    let fit = |ToolCall { parsed, tool_use }| Ok(ToolCall { parsed: parsed?, tool_use });
    let mut calls = calls.into_iter().map(fit);
    let Some(first) = calls.next() else {
        return Err(unfit(reply, max_tokens, "the reply calls no tool".to_owned()));
    };
    Ok((first?, calls.collect::<Result<_, ParseError>>()?))
}

/// Extends the conversation by the reply and its error, for the next attempt.
///
/// # Errors
/// Fails if no attempt is left.
fn again(
    method: &'static str,
    asker: &ModelAsker<'_>,
    retries: u32,
    prompt: &mut SamplingRequest,
    reply: &Sampled,
    wrong: ParseError,
) -> Result<(), SampleError> {
    let attempts = asker.asked;
    if attempts > retries || asker.rounds_left() == 0 {
        return Err(SampleValidation { method, attempts, last: wrong }.into());
    }
    prompt.messages = corrected(Messages(std::mem::take(&mut prompt.messages)), reply, &wrong.message).0;
    Ok(())
}

/// Extends a conversation by an invalid reply and its error. If the reply has tool calls, the error is sent as the
/// result of each call, because models require a result for each call.
fn corrected(messages: Messages, reply: &Sampled, wrong: &str) -> Messages {
    let dash = if wrong.starts_with("- ") { "" } else { "- " };
    let words = format!("That does not fit:\n{dash}{wrong}\nCorrect this, and answer again in the requested form.");
    let results: Vec<_> = reply.tool_uses().map(|call| call.error(&words)).collect();
    if results.is_empty() {
        let said = if reply.text.trim().is_empty() { "(nothing)" } else { &reply.text };
        return messages.assistant(said).user(words);
    }
    messages.clone().answered(reply, results).unwrap_or_else(|_| messages.user(words))
}
