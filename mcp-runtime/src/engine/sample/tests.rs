//! Reading replies, and building requests.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    Messages, ProviderAbilities, Sampled, SamplingContent, SamplingRequest, SamplingTool, StopReason, ToolChoice,
    ToolUse, expected::ExpectedSchema, offer::Offer, strategy::ReplyKind,
};

fn text(text: &str) -> Sampled {
    Sampled::new(vec![SamplingContent::Text(text.to_owned())], "m")
}

fn value<T: JsonSchema + serde::de::DeserializeOwned>(reply: &Sampled) -> Result<T, String> {
    ExpectedSchema::of::<T>().unwrap().parse(reply, 64).map_err(|error| error.message)
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Cell {
    #[schemars(range(min = 1, max = 9))]
    cell: u8,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tree {
    Leaf(u8),
    Node(Vec<Self>),
}

#[test]
fn finds_a_value_wherever_the_model_put_it() {
    let found = Ok(Cell { cell: 5 });
    for reply in [
        r#"{"cell":5}"#,
        "I take the middle:\n```json\n{ \"cell\": 5 }\n```\nGood luck!",
        r#"Not {"cell": 0}, but {"cell": 5}."#,
    ] {
        assert_eq!(value(&text(reply)), found, "{reply}");
    }
    let input = json!({ "cell": 5 }).as_object().cloned().unwrap();
    let called = Sampled::new(vec![SamplingContent::ToolUse(ToolUse::new("1", "answer", input))], "m");
    assert_eq!(value(&called), found);
}

#[test]
fn wraps_a_value_that_is_not_an_object_and_reads_both_forms() {
    for reply in ["[1, 2]", r#"{"value": [1, 2]}"#] {
        assert_eq!(value(&text(reply)), Ok(vec![1, 2]), "{reply}");
    }
    assert_eq!(value(&text("7")), Ok(7_u8));
    assert_eq!(value::<u8>(&text("300")).unwrap_err(), "- `value`: got 300, must be between 0 and 255");
    let wrapped = ExpectedSchema::of::<Vec<u8>>().unwrap();
    assert_eq!(wrapped.published["required"], json!(["value"]));
}

#[test]
fn keeps_recursive_schemas_recursive() {
    let reply = text(r#"{ "node": [{ "leaf": 1 }, { "node": [] }] }"#);
    assert_eq!(value(&reply), Ok(Tree::Node(vec![Tree::Leaf(1), Tree::Node(Vec::new())])));
    assert!(value::<Tree>(&text(r#"{ "node": [{ "leaf": "x" }] }"#)).is_err());
}

#[test]
fn reports_errors_with_their_place_and_a_truncated_reply() {
    assert_eq!(value::<Cell>(&text("the middle")).unwrap_err(), "there is no JSON in the reply");
    assert_eq!(value::<Cell>(&text(r#"{"cell":10}"#)).unwrap_err(), "- `cell`: got 10, must be between 1 and 9");
    let cited = text(r#"As in [1], {"cell":10}."#);
    assert_eq!(value::<Cell>(&cited).unwrap_err(), "- `cell`: got 10, must be between 1 and 9");
    let cut_off = text(r#"{"cell":"#).stopped(StopReason::MaxTokens);
    let message = "the reply was cut off at 64 tokens (`max_tokens`); there is no JSON in the reply";
    assert_eq!(value::<Cell>(&cut_off).unwrap_err(), message);
}

fn offer() -> Offer {
    let schema = json!({ "type": "object", "properties": { "cell": { "type": "integer" } }, "required": ["cell"] });
    let place = SamplingTool::new("place", "Places a mark.").input_schema(schema);
    Offer::new(vec![place, SamplingTool::new("resign", "Gives up.")]).unwrap()
}

/// Returns the names and inputs of the calls, or their errors.
fn calls(reply: &str) -> Vec<Result<Value, String>> {
    let (offer, read) = (offer(), |_: &str, input: Map<String, Value>| Ok(input));
    let reply = offer.with_written_calls(text(reply));
    let calls = offer.calls(&reply, 64, read).into_iter();
    calls
        .map(|call| call.parsed.map(|input| json!([call.tool_use.name, input])).map_err(|error| error.message))
        .collect()
}

#[test]
fn reads_calls_in_every_notation_that_models_use() {
    let placed = [Ok(json!(["place", { "cell": 5 }]))];
    for reply in [
        r#"{"tool":"place","input":{"cell":5}}"#,
        r#"I call {"name": "place", "arguments": {"cell": 5}} now."#,
        r#"{"call":{"tool":"place","input":{"cell":5}}}"#,
        r#"{"tool_calls":[{"type":"function","function":{"name":"place","arguments":"{\"cell\":5}"}}]}"#,
        "```\n[{\"tool\":\"place\",\"parameters\":{\"cell\":5}}]\n```",
    ] {
        assert_eq!(calls(reply), placed, "{reply}");
    }
    assert_eq!(calls(r#"[{"tool":"resign"},{"tool":"place","input":{"cell":5}}]"#).len(), 2);
    assert!(calls("I would place it in the middle: {cell}.").is_empty());
    assert_eq!(calls(r#"{"tool":"place","input":{"cell":"x"}}"#).len(), 1);
}

#[test]
fn reports_invalid_calls_with_what_is_allowed() {
    let wrong = |reply| calls(reply).remove(0).unwrap_err();
    assert_eq!(wrong(r#"{"tool":"move"}"#), "there is no tool `move`; the tools are `place`, `resign`");
    let message = wrong(r#"{"tool":"place","input":{"cell":"x"}}"#);
    assert!(message.starts_with("invalid input of `place`:\n- `cell`: got \"x\""), "{message}");
}

#[test]
fn rejects_tools_that_models_reject() {
    let refused = |tools: Vec<SamplingTool>| Offer::new(tools).err().unwrap().to_string();
    assert!(refused(Vec::new()).contains("the list of tools is empty"));
    assert!(refused(vec![SamplingTool::new("a b", "")]).contains("the tool `a b`: a name has"));
    let twice = SamplingTool::new("a", "");
    assert!(refused(vec![twice.clone(), twice]).contains("two tools have this name"));
    let no_object = SamplingTool::new("a", "").input_schema(json!({ "type": "string" }));
    assert!(refused(vec![no_object]).contains("the tool `a`: "));
}

fn prompt(messages: Messages) -> SamplingRequest {
    SamplingRequest::new(messages, 64)
}

#[test]
fn uses_the_native_features_of_each_model() {
    let (offer, expected) = (offer(), ExpectedSchema::of::<Cell>().unwrap());
    let (nothing, schema) = (ProviderAbilities::new(), ProviderAbilities::new().schema());
    let (tools, all) = (ProviderAbilities::new().tools(), ProviderAbilities::new().schema().tools());
    let said = |wants: ReplyKind<'_>, can| {
        let request = wants.request(&prompt("Go.".into()), can);
        let words = request.messages[0].text();
        (request.schema.is_some(), request.tools.len(), request.tool_choice, words.len() > "Go.".len())
    };
    let value = ReplyKind::Value(&expected);
    assert_eq!(said(value, all), (true, 0, None, false));
    assert_eq!(said(value, tools), (false, 1, Some(ToolChoice::Required), false));
    assert_eq!(said(value, nothing), (false, 0, None, true));
    let required = ReplyKind::Calls(&offer, ToolChoice::Required);
    assert_eq!(said(required, all), (false, 2, Some(ToolChoice::Required), false));
    assert_eq!(said(required, schema), (true, 0, None, true));
    assert_eq!(said(required, nothing), (false, 0, None, true));
    assert_eq!(said(ReplyKind::Calls(&offer, ToolChoice::Auto), schema), (false, 0, None, true));
    assert_eq!(said(ReplyKind::Calls(&offer, ToolChoice::None), nothing), (false, 0, None, false));
}

#[test]
fn describes_calls_in_words_to_a_model_without_tools() {
    let call = ToolUse::new("c1", "place", json!({ "cell": 5 }).as_object().cloned().unwrap());
    let reply = Sampled::new(vec![SamplingContent::ToolUse(call.clone())], "m");
    let messages = Messages::from("Go.").answered(&reply, [call.error("taken")]).unwrap().user("And now?");
    let request = ReplyKind::Text.request(&prompt(messages), ProviderAbilities::new().tools());
    let words: Vec<_> = request.messages.iter().map(|message| message.text()).collect();
    assert_eq!(words, ["Go.", r#"{"tool":"place","input":{"cell":5}}"#, "The call failed (c1): taken", "And now?"]);
}
