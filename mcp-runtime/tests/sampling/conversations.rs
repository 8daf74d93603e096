//! Every conversation is valid for models. Each tool call is followed by its result, and a message with results
//! contains nothing else.

use std::collections::HashSet;

use mcp_runtime::{
    Revision,
    sample::{Messages, MessagesError, Role, Sampled, SamplingContent, SamplingMessage, ToolResult, ToolUse},
    testing::Client,
};
use proptest::{
    collection::vec,
    prelude::{ProptestConfig, Strategy as Any, any, prop_assert, prop_oneof},
    test_runner::{TestCaseError, TestRunner},
};
use serde_json::json;

use super::*;

/// The additions to a conversation.
#[derive(Clone, Debug)]
enum Added {
    User(Vec<u8>),
    Assistant(u8),
    Reply(Vec<Part>),
    /// A reply with tool calls, and results for some of these calls in some order and for unknown calls.
    Answered(Vec<Part>, Vec<u8>),
}

#[derive(Clone, Debug)]
enum Part {
    Text(u8),
    Picture,
    Call(u8),
}

fn added() -> impl Any<Value = Added> {
    let part = prop_oneof![
        (0..9_u8).prop_map(Part::Text),
        any::<bool>().prop_map(|_| Part::Picture),
        (0..4_u8).prop_map(Part::Call)
    ];
    let parts = || vec(part.clone(), 0..5);
    let answered = (parts(), any::<bool>(), vec(0..5_u8, 0..5)).prop_map(|(parts, is_right, ids)| {
        let calls = parts.iter().filter_map(|part| if let Part::Call(id) = part { Some(*id) } else { None }).collect();
        Added::Answered(parts, if is_right { calls } else { ids })
    });
    prop_oneof![
        vec(0..9_u8, 0..3).prop_map(Added::User),
        (0..9_u8).prop_map(Added::Assistant),
        parts().prop_map(Added::Reply),
        answered
    ]
}

fn reply(parts: &[Part]) -> Sampled {
    let content = parts.iter().map(|part| match part {
        Part::Text(text) => SamplingContent::Text(text.to_string()),
        Part::Picture => SamplingContent::Image { data: String::new(), mime_type: "image/png".to_owned() },
        Part::Call(id) => SamplingContent::ToolUse(call(*id)),
    });
    Sampled::new(content.collect(), "m")
}

fn call(id: u8) -> ToolUse {
    ToolUse::new(id.to_string(), "wait", serde_json::Map::new())
}

fn is_call(part: &SamplingContent) -> bool {
    matches!(part, SamplingContent::ToolUse(_))
}

/// Returns the result in a part.
fn result(part: &SamplingContent) -> Option<&ToolResult> {
    if let SamplingContent::ToolResult(result) = part { Some(result) } else { None }
}

/// Checks the rules of all models.
fn is_taken(messages: &[&SamplingMessage]) -> Result<(), TestCaseError> {
    for (index, message) in messages.iter().enumerate() {
        prop_assert!(!message.content.is_empty(), "an empty message");
        let results: Vec<_> = message.content.iter().filter_map(result).collect();
        if !results.is_empty() {
            prop_assert!(
                message.role == Role::User && results.len() == message.content.len(),
                "beside results: {message:?}"
            );
            let before = index.checked_sub(1).map(|before| messages[before]);
            prop_assert!(before.is_some_and(|before| before.content.iter().any(is_call)), "results of nothing");
        }
        let calls: Vec<_> = message.content.iter().filter_map(SamplingContent::as_tool_use).collect();
        if !calls.is_empty() {
            prop_assert!(message.role == Role::Assistant);
            let next = messages.get(index + 1);
            let results: Vec<_> = next.iter().flat_map(|next| &next.content).filter_map(result).collect();
            let ids: HashSet<_> = results.iter().map(|result| &*result.tool_use_id).collect();
            prop_assert!(calls.iter().all(|call| ids.contains(&*call.id)), "a call without a result: {message:?}");
            prop_assert!(ids.len() == results.len() && ids.len() <= calls.len(), "{results:?}");
        }
    }
    Ok(())
}

#[test]
fn every_conversation_is_valid_for_models() {
    let config = ProptestConfig { cases: 5000, failure_persistence: None, ..ProptestConfig::default() };
    let ran = TestRunner::new(config).run(&vec(added(), 0..8), |all| {
        let mut messages = Messages::new();
        for added in all {
            messages = match added {
                Added::User(texts) => {
                    messages.user(texts.into_iter().map(|text| Content::text(text.to_string())).collect::<Vec<_>>())
                }
                Added::Assistant(text) => messages.assistant(text.to_string()),
                Added::Reply(parts) => messages.reply(&reply(&parts)),
                Added::Answered(parts, results) => {
                    let reply = reply(&parts);
                    let fits = {
                        let calls: HashSet<_> = reply
                            .content
                            .iter()
                            .filter_map(SamplingContent::as_tool_use)
                            .map(|call| call.id.clone())
                            .collect();
                        let given: HashSet<_> = results.iter().map(u8::to_string).collect();
                        calls == given && given.len() == results.len()
                    };
                    let results = results.into_iter().map(|id| call(id).result("done"));
                    match messages.clone().answered(&reply, results) {
                        Ok(longer) => {
                            prop_assert!(fits, "this should have been refused: {reply:?}");
                            longer
                        }
                        Err(_) => {
                            prop_assert!(!fits, "this should have been taken: {reply:?}");
                            messages
                        }
                    }
                }
            };
        }
        is_taken(&messages.iter().collect::<Vec<_>>())
    });
    ran.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn names_an_invalid_message() {
    let reply = reply(&[Part::Call(1), Part::Call(2)]);
    let refused =
        |results: &[u8]| Messages::new().answered(&reply, results.iter().map(|id| call(*id).error("no"))).unwrap_err();
    assert_eq!(refused(&[1]), MessagesError::Missing { id: "2".to_owned(), tool: "wait".to_owned() });
    assert_eq!(refused(&[1, 2, 3]), MessagesError::Unknown("3".to_owned()));
    assert_eq!(refused(&[1, 1, 2]), MessagesError::Twice("1".to_owned()));
}

/// Says whatever it is told to.
#[mcp_tool(replayable)]
async fn say(ctx: &Ctx, texts: Vec<String>) -> Result<String> {
    let mut messages = Messages::new();
    for (index, text) in texts.into_iter().enumerate() {
        messages = match index % 3 {
            0 => messages.user(text),
            1 => messages.assistant(text),
            _ => {
                let reply = Sampled::new(vec![SamplingContent::Text(text), SamplingContent::ToolUse(call(7))], "m");
                messages.answered(&reply, [call(7).result([Content::text("one"), Content::text("two")])])?
            }
        };
    }
    Ok(ctx.sample(messages).tools::<Strategy>().await?.reply.text)
}

/// Follows the official schema of each revision.
#[tokio::test]
async fn writes_every_message_in_the_notation_of_its_revision() {
    let texts = ["a", "b", "c", "d", "\u{0} \u{1f980} \" \\", "e", "f"];
    for revision in Revision::ALL {
        for has_tools in [true, false] {
            for length in 1..=texts.len() {
                let client = Client::new(&service(tools![say], None), revision);
                let mut client = if has_tools { client } else { client.without_sampling_tools() };
                let said = client.call("say", json!({ "texts": texts[..length] })).sampled("Yes.").await;
                assert_eq!(said.text(), "Yes.");
                let asked = sampled(&said, revision);
                let all: String = asked[0].texts().collect();
                assert!(texts[..length].iter().all(|text| all.contains(text)), "{all}");
            }
        }
    }
}
