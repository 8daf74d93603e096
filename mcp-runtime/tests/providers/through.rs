//! Tools that sample through a provider: the request to each API, and the result.

use mcp_runtime::{
    Result, Server,
    prelude::*,
    providers::Model,
    testing::{Client, Outcome},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tracing_subscriber::filter::LevelFilter;

use crate::providers::{support::*, watched::Log};

/// A move.
#[derive(Deserialize, JsonSchema)]
struct Move {
    /// A cell.
    #[schemars(range(min = 0, max = 8))]
    cell: u8,
}

/// What to do.
#[derive(SampleTools)]
enum Strategy {
    /// Attack.
    Attack { reason: String },
    /// Defend.
    Defend,
}

/// A type with every kind of field that replies usually contain.
#[expect(dead_code, reason = "it is asked for, and not looked at")]
#[derive(Deserialize, JsonSchema)]
struct Trip {
    /// Where to.
    #[schemars(length(min = 3, max = 3))]
    to: String,
    seat: Option<Seat>,
    #[serde(default)]
    bags: Vec<Bag>,
    paid: Paid,
    price: f64,
    note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
enum Seat {
    /// By the window.
    Window,
    Aisle,
}

#[expect(dead_code, reason = "it is asked for, and not looked at")]
#[derive(Deserialize, JsonSchema)]
struct Bag {
    kilograms: u8,
}

#[expect(dead_code, reason = "it is asked for, and not looked at")]
#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Paid {
    Card { number: u64 },
    Cash,
}

/// Plans a trip.
#[mcp_tool(requires(sampling))]
async fn plan(ctx: &Ctx) -> Result<String> {
    Ok(ctx.sample_schema::<Trip>("A trip to Oslo.").retries(0).await?.parsed.to)
}

/// Picks a cell.
#[mcp_tool(requires(sampling))]
async fn pick(ctx: &Ctx) -> Result<String> {
    let chosen = ctx.sample_schema::<Move>("Pick a cell.").max_tokens(50).retries(1).await?;
    Ok(format!("{} after {}", chosen.parsed.cell, chosen.attempts))
}

/// Chooses a number.
#[mcp_tool(requires(sampling))]
async fn choose(ctx: &Ctx) -> Result<String> {
    let chosen = ctx.sample_tools::<Strategy>("Attack?").max_tokens(50).retries(1).await?;
    let attempts = chosen.attempts;
    Ok(match chosen.into_first() {
        Strategy::Attack { reason } => format!("attack, {reason}, after {attempts}"),
        Strategy::Defend => format!("defend after {attempts}"),
    })
}

async fn call(model: Model, tool: &str) -> Outcome {
    let server = Server::new("s", "1.0.0").tools(tools![pick, choose, plan]).sampling_provider(model);
    let service = server.build().expect("nothing is wrong with it");
    Client::modern(&service).without_sampling().call(tool, json!({})).await
}

fn function(name: &str, arguments: &str) -> Value {
    let call = json!({ "id": "x1", "type": "function", "function": { "name": name, "arguments": arguments } });
    completion(json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
}

#[tokio::test]
async fn openai_gets_a_schema_and_the_reason_for_a_retry() {
    let server = server_then(ok(said(r#"{"cell":9}"#)), ok(said(r#"{"cell":4}"#))).await;
    assert_eq!(call(openai(&server), "pick").await.text(), "4 after 2");
    let asked = asked(&server).await;
    assert_eq!(asked["response_format"]["json_schema"]["strict"], true);
    assert_eq!(asked["messages"][1], json!({ "role": "assistant", "content": r#"{"cell":9}"# }));
    let correction = asked["messages"][2]["content"].as_str().unwrap();
    assert!(correction.contains("cell") && correction.contains('8'), "{correction}");
}

/// A schema derived from a type works in OpenAI's strict mode, and a matching value fits the type.
#[tokio::test]
async fn schemas_of_common_types_fit_strict_mode() {
    let bags = json!([{ "kilograms": 20 }]);
    let trip = json!({ "to": "OSL", "seat": null, "bags": bags, "paid": { "by": "cash" }, "price": 9.5, "note": null });
    let server = server(ok(said(&trip.to_string()))).await;
    assert_eq!(call(openai(&server), "plan").await.text(), "OSL");
    let format = asked(&server).await["response_format"]["json_schema"].take();
    assert_eq!(format["strict"], true, "{format:#}");
    assert!(jsonschema::is_valid(&format["schema"], &trip), "{format:#}");
    assert_eq!(format["schema"]["required"], json!(["to", "seat", "bags", "paid", "price", "note"]));
}

#[tokio::test]
async fn anthropic_gets_a_forced_tool_with_the_schema() {
    let answer = json!([{ "type": "tool_use", "id": "toolu_1", "name": "answer", "input": { "cell": 4 } }]);
    let server = server(ok(message(answer, "tool_use"))).await;
    assert_eq!(call(anthropic(&server), "pick").await.text(), "4 after 1");
    let asked = asked(&server).await;
    assert_eq!(asked["tool_choice"], json!({ "type": "any" }));
    assert_eq!(asked["tools"][0]["name"], "answer");
    assert_eq!(asked["tools"][0]["input_schema"]["properties"]["cell"]["maximum"], 8);
}

#[tokio::test]
async fn ollama_gets_a_schema_for_values_and_calls() {
    let words = |text: &str| ok(chat(json!({ "role": "assistant", "content": text }), "stop"));
    let server = server_then(words(r#"{"cell":4}"#), words(r#"{"name":"defend","arguments":{}}"#)).await;
    assert_eq!(call(ollama(&server), "pick").await.text(), "4 after 1");
    assert_eq!(asked(&server).await["format"]["properties"]["cell"]["maximum"], 8);
    assert_eq!(call(ollama(&server), "choose").await.text(), "defend after 1");
}

#[tokio::test]
async fn shows_invalid_json_arguments_to_the_model() {
    let broken = function("attack", r#"{"reason": "so"#);
    let server = server_then(ok(broken), ok(function("attack", r#"{"reason":"so"}"#))).await;
    assert_eq!(call(openai(&server), "choose").await.text(), "attack, so, after 2");
    let asked = asked(&server).await;
    assert_eq!(asked["tool_choice"], "required");
    assert_eq!(asked["messages"][1]["content"], r#"attack({"reason": "so)"#);
}

#[tokio::test]
async fn describes_tools_and_schemas_in_words_if_unsupported() {
    let written = "Sure:\n```json\n{\"tool\": \"attack\", \"input\": {\"reason\": \"so\"}}\n```";
    let server = server(ok(said(written))).await;
    let model = compatible(&server).without_tools().without_schema();
    assert_eq!(call(model, "choose").await.text(), "attack, so, after 1");
    let asked = asked(&server).await;
    assert!(asked["messages"][0]["content"].as_str().unwrap().contains("- attack: Attack."), "{asked}");
    assert!(asked.get("tools").is_none() && asked.get("response_format").is_none());
}

#[tokio::test]
async fn tells_the_model_that_its_reply_was_truncated() {
    let cut = completion(json!({ "role": "assistant", "content": "{\"cell\":" }), "length");
    let server = server(ok(cut)).await;
    let text = call(openai(&server), "pick").await.text();
    assert!(text.starts_with("`sample_schema` got no valid reply (attempts: 2)"), "{text}");
    assert!(text.contains("50"), "{text}");
}

/// One test, because the log limits repeated lines to one in ten seconds and a count.
#[tokio::test]
async fn the_log_has_all_of_a_failure_and_the_client_a_short_sentence() {
    let failing =
        server(status(404, json!({ "error": { "message": format!("no gpt-x on backend-7 for {KEY}") } }))).await;
    let (log, guard) = Log::start(LevelFilter::ERROR);
    let outcome = call(openai(&failing), "pick").await;
    drop(guard);
    assert!(outcome.is_error());
    assert_eq!(outcome.text(), "the model cannot be asked: it is not set up");
    let told = outcome.transcript().to_string();
    for secret in [KEY, "gpt-x", "backend-7", "127.0.0.1"] {
        assert!(!told.contains(secret), "{secret}: {told}");
    }
    let log = log.text();
    let whole =
        format!("tool `pick`: the sampling provider failed: the model `gpt-x` at {}: there is no", failing.uri());
    assert!(log.contains(&whole) && log.contains("no gpt-x on backend-7") && !log.contains(KEY), "{log}");

    for (answer, told) in [
        (status(401, json!({})), "it is not set up"),
        (status(413, json!({})), "the conversation is too large for it"),
        (status(429, json!({})), "it is busy; ask again later"),
        (status(503, json!({})), "it does not work now; ask again later"),
        (status(418, json!({})), "it refused the request"),
        (ok(json!({})), "its reply cannot be read"),
    ] {
        let outcome = call(openai(&server(answer).await).retries(0), "pick").await;
        assert_eq!(outcome.text(), format!("the model cannot be asked: {told}"));
    }
}
