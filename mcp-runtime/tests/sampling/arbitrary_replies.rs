//! Any reply of a model or a client gives a tool a value of its type, or an error.

use mcp_runtime::{
    Revision,
    sample::{ProviderAbilities, Sampled, SamplingContent, StopReason, ToolUse},
    testing::Client,
};
use proptest::{
    collection::vec,
    prelude::{BoxedStrategy, Just, ProptestConfig, Strategy as _, any, prop_assert, prop_oneof},
    sample::select,
    test_runner::{TestCaseError, TestRunner},
};
use serde_json::{Map, Value, json};

use super::{model::Say, *};

/// Asks in each way.
#[mcp_tool(replayable)]
async fn each(ctx: &Ctx) -> Result<String> {
    let text = ctx.sample("Text?").await.map(|reply| reply.text.len());
    let schema = ctx.sample("Move?").schema::<Move>().await.map(|reply| reply.parsed.is_ok());
    let tools = ctx.sample("Strategy?").tools::<Strategy>().await.map(|reply| reply.calls.len());
    let sure = ctx.sample_schema::<Move>("Move!").retries(1).await;
    let called = ctx.sample_tools::<Strategy>("Strategy!").retries(1).await;
    let asked = ctx.sample_loop::<Strategy>("Play.").max_turns(3).run(async |played| format!("{played:?}")).await;
    if sure.is_ok_and(|sure| !(1..=9).contains(&sure.parsed.cell)) {
        return Err("a move that is none".into());
    }
    let (called, asked) = (called.map(|called| called.iter().count()), asked.map(|asked| asked.turns));
    Ok(format!("{text:?} {schema:?} {tools:?} {called:?} {asked:?}"))
}

fn content() -> impl proptest::strategy::Strategy<Value = Vec<SamplingContent>> {
    let text = prop_oneof![words(), anything().prop_map(|value| value.to_string()), any::<String>()];
    let call = (select(vec!["attack", "wait", "answer", "", "x"]), select(vec!["", "1", "2"]), object())
        .prop_map(|(name, id, input)| SamplingContent::ToolUse(ToolUse::new(id, name, input)));
    vec(prop_oneof![text.prop_map(SamplingContent::Text), call], 0..4)
}

fn words() -> impl proptest::strategy::Strategy<Value = String> {
    let pieces = select(vec![
        "I take ",
        "{\"cell\":",
        "5",
        "12",
        "}",
        "```json\n",
        "\n```\n",
        "{\"tool\":",
        "\"attack\"",
        "\"wait\"",
        ",\"input\":",
        "{}",
        "[",
        "]",
        "<think>",
        "</think>",
        "\"",
        "\\",
        "\u{0}",
        "é",
    ]);
    vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

fn stop_reason() -> impl proptest::strategy::Strategy<Value = StopReason> {
    select(vec![StopReason::EndTurn, StopReason::MaxTokens, StopReason::ToolUse, StopReason::Other(String::new())])
}

fn object() -> impl proptest::strategy::Strategy<Value = Map<String, Value>> {
    let name =
        select(vec!["cell", "value", "tool", "name", "input", "call", "arguments", "content", "type", "text", "x"]);
    vec((name.prop_map(str::to_owned), anything()), 0..4).prop_map(|entries| entries.into_iter().collect())
}

fn anything() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2..12_i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(vec!["attack", "wait", "text", "tool_use", "{\"cell\":5}", ""]).prop_map(Value::from),
    ];
    let member = select(vec!["cell", "value", "tool", "name", "input", "call", "function", "type", "text", "id"]);
    leaf.prop_recursive(3, 12, 4, move |inner| {
        let entries = vec((member.clone().prop_map(str::to_owned), inner.clone()), 0..4);
        prop_oneof![
            vec(inner, 0..4).prop_map(Value::from),
            entries.prop_map(|entries| Value::Object(entries.into_iter().collect()))
        ]
    })
    .boxed()
}

/// Says what there is.
#[mcp_tool]
async fn once(ctx: &Ctx) -> String {
    format!("{:?}", ctx.sample("Text?").await)
}

fn run<S: proptest::strategy::Strategy>(
    cases: u32,
    given: &S,
    test: impl AsyncFn(S::Value) -> Result<(), TestCaseError>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let ran = TestRunner::new(config).run(given, |given| runtime.block_on(test(given)));
    ran.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn any_reply_of_a_model_gives_a_value_or_an_error() {
    let reply =
        (content(), stop_reason()).prop_map(|(content, stop)| Say::Whole(Sampled::new(content, "m").stopped(stop)));
    run(300, &(vec(reply, 10), any::<bool>(), any::<bool>()), async |(says, schema, tools)| {
        let can = ProviderAbilities::new();
        let can = if schema { can.schema() } else { can };
        let model = Model::new(if tools { can.tools() } else { can }, says);
        let mut client = Client::modern(&service(tools![each], Some(&model))).without_sampling();
        let outcome = client.call("each", ()).await;
        prop_assert!(!outcome.is_error(), "{}", outcome.text());
        prop_assert!(outcome.text().starts_with("Ok("), "{}", outcome.text());
        Ok(())
    });
}

#[test]
fn any_answer_of_a_client_gives_a_value_or_an_error() {
    let content = anything().prop_map(|value| json!({ "role": "assistant", "model": "m", "content": value }));
    let answer = prop_oneof![content, object().prop_map(Value::from)];
    let service = service(tools![once], None);
    run(300, &(answer, select(Revision::ALL.to_vec())), async |(answer, revision)| {
        let mut client = Client::new(&service, revision);
        let text = client.call("once", ()).answer(answer.clone()).await.text();
        prop_assert!(text.starts_with("Ok(Sampled") || text.starts_with("Err(Invalid("), "{answer}: {text}");
        Ok(())
    });
}
