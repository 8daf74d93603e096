//! The messages that correct an invalid reply, and their number.

use mcp_runtime::{
    Revision,
    sample::{Messages, ModelPreferences, SampleError, Sampled, SamplingContent, StopReason, ToolUse},
    testing::{Client, Question, Reply, in_every_mode},
};
use serde_json::{Value, json};

use super::*;

/// Takes a move.
#[mcp_tool(replayable)]
pub(crate) async fn take(ctx: &Ctx, retries: Option<u32>) -> Result<String> {
    let ask = ctx.sample_schema::<Move>("Your move.").max_tokens(64);
    let ask = if let Some(times) = retries { ask.retries(times) } else { ask };
    Ok(match ask.await {
        Ok(sure) => format!("{} in {}", sure.parsed.cell, sure.attempts),
        Err(SampleError::Validation(error)) => format!("{}, {}: {}", error.method, error.attempts, error.last),
        Err(error) => return Err(error.into()),
    })
}

/// Chooses a strategy.
#[mcp_tool(replayable)]
async fn choose(ctx: &Ctx) -> Result<String> {
    let sure = ctx.sample_tools::<Strategy>("Your strategy?").model(ModelPreferences::new().hint("mini")).await?;
    let all: Vec<_> = sure.iter().map(|call| format!("{:?}", call.parsed)).collect();
    Ok(format!("{} in {}", all.join(", "), sure.attempts))
}

/// Several moves, with a comment.
#[derive(Debug, Deserialize, JsonSchema)]
struct Plan {
    moves: Vec<Move>,
    mood: Mood,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mood {
    Glad,
    Grim,
}

/// Makes a plan.
#[mcp_tool(replayable)]
async fn plan(ctx: &Ctx) -> Result<String> {
    let Plan { moves, mood } = ctx.sample_schema("Your plan?").await?.parsed;
    Ok(format!("{mood:?} {}", moves.len()))
}

/// Counts the notes.
#[mcp_tool(replayable)]
async fn count(ctx: &Ctx) -> Result<String> {
    let list: Vec<u8> = ctx.sample_schema("Count to three.").await?.parsed;
    let (word, mood): (Option<String>, Mood) =
        (ctx.sample_schema("A word?").await?.parsed, ctx.sample_schema("Your mood?").await?.parsed);
    Ok(format!("{list:?} {word:?} {mood:?}"))
}

pub(crate) fn service() -> Service {
    super::service(tools![take, choose, plan, count], None)
}

fn server() -> Server {
    Server::new("games", "1").tools(tools![take, choose, plan, count])
}

/// Returns the conversation as roles and kinds of blocks.
fn course(question: &Question) -> Vec<String> {
    let messages = question.params()["messages"].as_array().unwrap();
    let kind = |block: &Value| block["type"].as_str().unwrap().to_owned();
    let said = |message: &Value| {
        let kinds = match &message["content"] {
            Value::Array(blocks) => blocks.iter().map(kind).collect::<Vec<_>>().join("+"),
            block => kind(block),
        };
        format!("{} {kinds}", message["role"].as_str().unwrap())
    };
    messages.iter().map(said).collect()
}

#[tokio::test]
async fn retries_until_a_reply_is_valid_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(server);
        let taken = client
            .call("take", ())
            .sampled("The middle!")
            .sampled_value(json!({ "cell": 12 }))
            .sampled_value(json!({ "cell": 5 }))
            .await;
        assert_eq!(taken.text(), "5 in 3");
        let chosen = client
            .call("choose", ())
            .sampled("I would rather not.")
            .sampled_tool("retreat", ())
            .reply(Reply::sampled_tool("wait", ()).and_tool("attack", json!({ "cell": 1 })))
            .await;
        assert_eq!(chosen.text(), "Wait, Attack { cell: 1 } in 3");
        let counted = client
            .call("count", ())
            .sampled_value(json!([1, 2, 3]))
            .sampled_value(json!(null))
            .sampled_value(json!("grim"))
            .await;
        assert_eq!(counted.text(), "[1, 2, 3] None Grim");
        for outcome in [taken, chosen, counted] {
            sampled(&outcome, mode.revision());
        }
    });
}

/// Returns a client in a session, a client without a session, and a client without sampling tools.
pub(crate) fn clients() -> [(Client, Revision, bool); 3] {
    let (old, new) = (Revision::V2025_11_25, Revision::V2026_07_28);
    [
        (Client::legacy(&service(), old), old, true),
        (Client::modern(&service()), new, true),
        (Client::modern(&service()).without_sampling_tools(), new, false),
    ]
}

/// Asks for a move, and goes on with what was said.
#[mcp_tool(replayable)]
async fn go_on(ctx: &Ctx) -> Result<String> {
    let start = Messages::from("Your move.");
    let sure = ctx.sample_schema::<Move>(&start).await?;
    let next = ctx.sample(start.reply(&sure.reply).user("Why?")).schema::<Move>().await?;
    Ok(format!("{} {:?}", sure.reply.text, next.reply.stop_reason))
}

#[tokio::test]
async fn an_answer_is_text_in_the_conversation_in_every_mode() {
    in_every_mode!(|mode| {
        let mut client = mode.client(|| Server::new("games", "1").tools(tools![go_on]));
        let call = client.call("go_on", ()).sampled_value(json!({ "cell": 5 }));
        let outcome = call.sampled_value(json!({ "cell": 6 })).await;
        assert_eq!(outcome.text(), r#"{"cell":5} Some(EndTurn)"#);
        let asked = sampled(&outcome, mode.revision());
        assert_eq!(course(asked[1]), ["user text", "assistant text", "user text"]);
        assert_eq!(asked[1].texts().nth(1), Some(r#"{"cell":5}"#));
    });
}

#[tokio::test]
async fn keeps_a_text_reply_and_asks_again_for_a_call() {
    for (mut client, revision, _) in clients() {
        let outcome = client.call("choose", ()).sampled("I attack!").sampled_tool("wait", ()).await;
        let asked = sampled(&outcome, revision);
        assert_eq!(course(asked[1]), ["user text", "assistant text", "user text"]);
        assert!(asked[1].texts().any(|text| text == "I attack!"));
        assert!(asked[1].message().starts_with("That does not fit:\n- the reply calls no tool\n"), "{}", asked[1]);
    }
}

#[tokio::test]
async fn a_required_call_stays_required_in_a_retry() {
    for (mut client, revision, has_tools) in clients() {
        let outcome = client.call("choose", ()).sampled("No.").sampled_tool("x", ()).sampled("No!").await;
        let asked = sampled(&outcome, revision);
        assert_eq!(asked.len(), 3);
        for question in asked {
            let choice = &question.params()["toolChoice"];
            assert_eq!(*choice, if has_tools { json!({ "mode": "required" }) } else { Value::Null });
            assert_eq!(question.params()["modelPreferences"], json!({ "hints": [{ "name": "mini" }] }));
        }
        assert!(outcome.is_error());
        let text = "`sample_tools` got no valid reply (attempts: 3); last error: the reply calls no tool";
        assert_eq!(outcome.text(), text);
    }
}

#[tokio::test]
async fn names_the_path_of_an_invalid_value() {
    let wrong = json!({ "moves": [{ "cell": 1 }, { "cell": 10 }, {}], "mood": "sad" });
    let right = json!({ "moves": [], "mood": "glad" });
    for (mut client, revision, has_tools) in clients() {
        let outcome = client.call("plan", ()).sampled_value(&wrong).sampled_value(&right).await;
        assert_eq!(outcome.text(), "Glad 0");
        let asked = sampled(&outcome, revision);
        for path in ["`moves[1].cell`: got 10, must be between 1 and 9", "`moves[2].cell`", "`mood`"] {
            assert!(asked[1].message().contains(path), "{path}: {}", asked[1]);
        }
        if has_tools {
            assert_eq!(course(asked[1]), ["user text", "assistant tool_use", "user tool_result"]);
            let result = &asked[1].params()["messages"][2]["content"];
            assert_eq!((&result["isError"], &result["toolUseId"]), (&json!(true), &json!("sample 1")));
        } else {
            assert_eq!(course(asked[1]), ["user text", "assistant text", "user text"]);
        }
    }
}

#[tokio::test]
async fn sends_self_contained_schemas() {
    for (mut client, revision, has_tools) in clients() {
        let outcome = client.call("plan", ()).sampled_value(json!({ "moves": [], "mood": "grim" })).await;
        let asked = sampled(&outcome, revision);
        let written = asked[0].params().to_string();
        for absent in ["$ref", "$defs", "$schema", "\"title\""] {
            assert!(!written.contains(absent), "{absent}: {written}");
        }
        assert_eq!(asked[0].tools(), if has_tools { &["answer"][..] } else { &[] });
    }
}

#[tokio::test]
async fn answers_each_call_of_an_invalid_reply_with_a_result() {
    let call = |id: &str, name: &str, input: Value| {
        SamplingContent::ToolUse(ToolUse::new(id, name, input.as_object().unwrap().clone()))
    };
    let mixed = || {
        let words = SamplingContent::Text("Both.".to_owned());
        vec![words, call("a", "attack", json!({ "cell": 3 })), call("b", "attack", json!({ "cell": "x" }))]
    };
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service(), revision);
        let wrong = Reply::sampled_as(Sampled::new(mixed(), "m").stopped(StopReason::ToolUse));
        let outcome = client.call("choose", ()).reply(wrong).sampled_tool("wait", ()).await;
        assert_eq!(outcome.text(), "Wait in 2");
        let asked = sampled(&outcome, revision);
        assert_eq!(course(asked[1]), ["user text", "assistant text+tool_use+tool_use", "user tool_result+tool_result"]);
        let results = asked[1].params()["messages"][2]["content"].as_array().unwrap();
        assert_eq!(results.iter().map(|result| &result["toolUseId"]).collect::<Vec<_>>(), ["a", "b"]);
    }
}

/// Some clients and models number calls like this.
#[tokio::test]
async fn handles_calls_with_duplicate_ids() {
    let call = |cell: Value| {
        SamplingContent::ToolUse(ToolUse::new("", "attack", [("cell".to_owned(), cell)].into_iter().collect()))
    };
    let wrong = || Reply::sampled_as(Sampled::new(vec![call(json!(3)), call(json!("x"))], "m"));
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(&service(), revision);
        let outcome = client.call("choose", ()).reply(wrong()).sampled_tool("wait", ()).await;
        assert_eq!(outcome.text(), "Wait in 2");
        sampled(&outcome, revision);
    }
}

#[tokio::test]
async fn tells_the_model_that_its_reply_was_truncated() {
    let half = || {
        let text = vec![SamplingContent::Text(r#"{"cell": "#.to_owned())];
        Reply::sampled_as(Sampled::new(text, "m").stopped(StopReason::MaxTokens))
    };
    for (mut client, revision, _) in clients() {
        let outcome = client.call("take", ()).reply(half()).sampled_value(json!({ "cell": 1 })).await;
        assert_eq!(outcome.text(), "1 in 2");
        let told = sampled(&outcome, revision)[1].message().to_owned();
        assert!(told.contains("the reply was cut off at 64 tokens (`max_tokens`)"), "{told}");
    }
}

#[tokio::test]
async fn retries_after_an_empty_reply() {
    for (mut client, revision, _) in clients() {
        let nothing = || Reply::sampled_as(Sampled::new(Vec::new(), "m"));
        let outcome = client.call("take", ()).reply(nothing()).sampled("").sampled_value(json!({ "cell": 1 })).await;
        assert_eq!(outcome.text(), "1 in 3");
        sampled(&outcome, revision);
    }
}

#[tokio::test]
async fn accepts_integers_with_a_fraction_or_an_exponent() {
    let mut client = Client::new(&service(), Revision::V2025_11_25);
    assert_eq!(client.call("take", ()).sampled(r#"{"cell": 5.0}"#).await.text(), "5 in 1");
    assert_eq!(
        client.call("count", ()).sampled("[1.0, 2e0, 30e-1]").sampled("null").sampled("\"grim\"").await.text(),
        "[1, 2, 3] None Grim"
    );
    let attack = Reply::sampled_tool("attack", json!({ "cell": 7.0 }));
    assert_eq!(client.call("choose", ()).reply(attack).await.text(), "Attack { cell: 7 } in 1");
}
