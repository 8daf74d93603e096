//! `#[derive(SampleTools)]` defines the tools that a model sees, and parses the calls of the model.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

use std::sync::{Arc, Mutex};

use mcp_runtime::{
    Result,
    prelude::*,
    sample::{
        ProviderAbilities, Sampled, SamplingContent, SamplingFuture, SamplingProvider, SamplingRequest, SamplingTool,
        ToolUse,
    },
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::support::call_with;

/// How to play.
#[derive(Debug, PartialEq, SampleTools)]
enum Strategy {
    /// Attack: take a cell that
    /// makes two in a row.
    PlayOffensive {
        /// Why, in one sentence.
        reasoning: String,
        /// From 0 to 8.
        #[schemars(range(max = 8))]
        cell: Option<u8>,
    },
    /// Defend.
    #[tool(name = "block-now")]
    Block {
        #[serde(rename = "in", alias = "inside")]
        area: Area,
        #[serde(default = "once")]
        times: u32,
        #[serde(deserialize_with = "upper")]
        #[schemars(with = "String")]
        word: Word,
        #[serde(skip)]
        seen: bool,
        #[serde(default)]
        tags: Vec<String>,
    },
    /// Ask for help.
    Search(Query),
    #[tool(description = "Give up.")]
    Resign,
    /// Wait.
    Wait(),
    /// Think.
    r#Yield {},
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Area {
    Centre,
    Corner,
}

/// A type without a schema or a reader.
#[derive(Debug, PartialEq)]
struct Word(String);

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Query {
    search_text: String,
    #[serde(flatten)]
    page: Page,
}

#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Page {
    limit: u8,
}

fn once() -> u32 {
    1
}

fn upper<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    String::deserialize(deserializer).map(|word| Word(word.to_uppercase()))
}

fn tool(name: &str) -> SamplingTool {
    Strategy::tools().into_iter().find(|tool| tool.name == name).expect("the tool")
}

fn read(name: &str, input: Value) -> Result<Strategy, String> {
    let Value::Object(input) = input else { panic!("the input of a tool is an object") };
    Strategy::read(name, input)
}

#[test]
fn a_variant_is_a_tool_named_in_snake_case() {
    let tools: Vec<_> = Strategy::tools().into_iter().map(|tool| (tool.name, tool.description)).collect();
    let expected = [
        ("play_offensive", "Attack: take a cell that makes two in a row."),
        ("block-now", "Defend."),
        ("search", "Ask for help."),
        ("resign", "Give up."),
        ("wait", "Wait."),
        ("yield", "Think."),
    ];
    assert_eq!(tools, expected.map(|(name, description)| (name.to_owned(), description.to_owned())));
}

#[test]
fn publishes_fields_as_properties() {
    let schema = tool("play_offensive").input_schema;
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], json!(["reasoning"]));
    assert_eq!(schema["properties"]["reasoning"], json!({ "description": "Why, in one sentence.", "type": "string" }));
    assert_eq!(schema["properties"]["cell"]["maximum"], 8);
    assert_eq!(schema["properties"]["cell"]["type"], json!(["integer", "null"]));
}

#[test]
fn respects_the_attributes_of_fields() {
    let schema = tool("block-now").input_schema;
    let properties: Vec<_> = schema["properties"].as_object().expect("properties").keys().collect();
    assert_eq!(properties, ["in", "times", "word", "tags"]);
    assert_eq!(schema["required"], json!(["in", "word"]));
    assert_eq!(schema["properties"]["in"], json!({ "type": "string", "enum": ["centre", "corner"] }), "inlined");
    assert_eq!(schema["properties"]["times"]["default"], 1);
    assert_eq!(schema["properties"]["word"]["type"], "string");
    let read = read("block-now", json!({ "in": "corner", "word": "now" }));
    let (seen, tags) = (false, Vec::new());
    assert_eq!(read, Ok(Strategy::Block { area: Area::Corner, times: 1, word: Word("NOW".to_owned()), seen, tags }));
}

#[test]
fn a_tool_without_fields_takes_nothing() {
    for (name, expected) in [("resign", Strategy::Resign), ("wait", Strategy::Wait()), ("yield", Strategy::Yield {})] {
        let schema = tool(name).input_schema;
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)), "{name}");
        assert_eq!(read(name, json!({})), Ok(expected));
        assert!(read(name, json!({ "x": 1 })).is_err(), "{name}");
    }
}

#[test]
fn a_wrapped_type_reads_the_whole_input() {
    let schema = tool("search").input_schema;
    assert_eq!(schema["required"], json!(["searchText", "limit"]));
    let search = Strategy::Search(Query { search_text: "corner".to_owned(), page: Page { limit: 3 } });
    assert_eq!(read("search", json!({ "searchText": "corner", "limit": 3 })), Ok(search));
}

#[test]
fn explains_input_that_cannot_be_read() {
    for (name, input, expected) in [
        ("play_offensive", json!({}), "missing field `reasoning`"),
        ("play_offensive", json!({ "reasoning": 7 }), "invalid type: integer `7`, expected a string"),
        ("block-now", json!({ "in": "edge", "word": "x" }), "unknown variant `edge`, expected `centre` or `corner`"),
        ("search", json!({ "searchText": "x" }), "missing field `limit`"),
        (
            "attack",
            json!({}),
            "there is no tool `attack`; the tools are `play_offensive`, `block-now`, `search`, `resign`, `wait`, `yield`",
        ),
    ] {
        assert_eq!(read(name, input), Err(expected.to_owned()), "{name}");
    }
    let unknown = read("play_offensive", json!({ "reasoning": "x", "cell": null, "speed": 1 })).expect_err("a refusal");
    assert!(unknown.starts_with("unknown field `speed`"), "{unknown}");
}

#[test]
fn accepts_a_missing_option() {
    let expected = |cell| Ok(Strategy::PlayOffensive { reasoning: "x".to_owned(), cell });
    assert_eq!(read("play_offensive", json!({ "reasoning": "x" })), expected(None));
    assert_eq!(read("play_offensive", json!({ "reasoning": "x", "cell": null })), expected(None));
    assert_eq!(read("play_offensive", json!({ "reasoning": "x", "cell": 4 })), expected(Some(4)));
}

#[test]
fn accepts_an_alias_without_publishing_it() {
    let properties = &tool("block-now").input_schema["properties"];
    assert_eq!(properties.get("inside"), None);
    assert!(read("block-now", json!({ "inside": "centre", "word": "x" })).is_ok());
}

/// Kept as JSON too, and recursive.
#[derive(Debug, Deserialize, JsonSchema, PartialEq, SampleTools, serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    /// Several steps.
    All {
        /// In their order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        steps: Vec<Self>,
    },
    /// Stop here.
    Stop,
}

#[test]
fn accepts_a_recursive_set() {
    let steps =
        Step::read("all", json!({ "steps": [{ "all": { "steps": [] } }, "stop"] }).as_object().unwrap().clone());
    assert_eq!(steps, Ok(Step::All { steps: vec![Step::All { steps: vec![] }, Step::Stop] }));
    assert_eq!(serde_json::to_value(Step::All { steps: vec![] }).unwrap(), json!({ "all": {} }));
    assert_eq!(Step::tools().len(), 2);
}

/// A model that makes these calls, one per reply, and records the tools it was offered.
#[derive(Clone, Default)]
struct Model {
    calls: Arc<Mutex<Vec<(&'static str, Value)>>>,
    offered: Arc<Mutex<Vec<SamplingTool>>>,
}

impl SamplingProvider for Model {
    fn sample<'a>(&'a self, request: &'a SamplingRequest) -> SamplingFuture<'a> {
        Box::pin(async {
            self.offered.lock().unwrap().clone_from(&request.tools);
            let (name, input) = self.calls.lock().unwrap().remove(0);
            let input: Map<_, _> = input.as_object().cloned().unwrap();
            Ok(Sampled::new(vec![SamplingContent::ToolUse(ToolUse::new("1", name, input))], "m"))
        })
    }

    fn abilities(&self) -> ProviderAbilities {
        ProviderAbilities::new().tools()
    }
}

/// Returns the result of a tool whose model makes these calls.
fn played<const N: usize>(
    tools: Vec<Box<dyn mcp_runtime::Tool>>,
    calls: [(&'static str, Value); N],
) -> (String, Model) {
    let model = Model { calls: Arc::new(Mutex::new(calls.to_vec())), ..Model::default() };
    let server = Server::new("test", "1.0.0").sampling_provider(model.clone());
    let result = call_with(server, tools, json!({}));
    (result["content"][0]["text"].as_str().expect("text").to_owned(), model)
}

/// Plays a game.
#[mcp_tool]
async fn play(ctx: &Ctx) -> Result<String> {
    Ok(format!("{:?}", ctx.sample_tools::<Strategy>("Your move.").retries(0).await?.into_first()))
}

#[test]
fn a_model_is_offered_the_tools_and_calls_one() {
    let (said, model) = played(tools![play], [("block-now", json!({ "inside": "corner", "word": "now" }))]);
    assert_eq!(said, r#"Block { area: Corner, times: 1, word: Word("NOW"), seen: false, tags: [] }"#, "by an alias");
    let offered = model.offered.lock().unwrap();
    assert_eq!(offered.len(), 6);
    assert_eq!(offered[3].input_schema, json!({ "type": "object", "additionalProperties": false, "properties": {} }));
}

#[test]
fn checks_a_call_against_the_whole_schema() {
    let (said, _) = played(tools![play], [("play_offensive", json!({ "reasoning": "x", "cell": 9 }))]);
    assert!(
        said.ends_with("invalid input of `play_offensive`:\n- `cell`: got 9, must be between 0 and 8 (From 0 to 8)"),
        "{said}"
    );
    let (said, _) = played(tools![play], [("play_offensive", json!({ "reasonin": "x" }))]);
    assert!(said.contains("`reasoning`"), "{said}");
}

/// Arguments that no tool can have.
#[derive(SampleTools)]
enum Unfit {
    /// Says a number.
    Say(u8),
}

/// Counts the notes.
#[mcp_tool]
async fn count(ctx: &Ctx) -> Result<String> {
    let Unfit::Say(number) = ctx.sample_tools::<Unfit>("Count.").await?.into_first();
    Ok(number.to_string())
}

#[test]
fn reports_a_wrapped_type_that_is_not_an_object() {
    let (said, _) = played(tools![count], []);
    let expected = "the tool `say`: the root is of type \"integer\", but arguments are always an object: use a struct \
                    with named fields";
    assert!(said.contains(expected), "{said}");
}
