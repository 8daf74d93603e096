//! How replies are read, and requests made of what an author asks.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    Messages, ProviderAbilities, Sampled, SamplingContent, SamplingTool, StopReason, ToolChoice, ToolUse,
    expected::Expected,
    offer::Offer,
    strategy::{Prompt, Wants},
};

fn text(text: &str) -> Sampled {
    Sampled::new(vec![SamplingContent::Text(text.to_owned())], "m")
}

fn value<T: JsonSchema + serde::de::DeserializeOwned>(reply: &Sampled) -> Result<T, String> {
    Expected::of::<T>().unwrap().parse(reply, 64).map_err(|error| error.message)
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
fn a_value_is_found_wherever_the_model_put_it() {
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
fn what_is_no_object_is_wrapped_and_taken_either_way() {
    for reply in ["[1, 2]", r#"{"value": [1, 2]}"#] {
        assert_eq!(value(&text(reply)), Ok(vec![1, 2]), "{reply}");
    }
    assert_eq!(value(&text("7")), Ok(7_u8));
    assert_eq!(value::<u8>(&text("300")).unwrap_err(), "- `value`: got 300, must be between 0 and 255");
    let wrapped = Expected::of::<Vec<u8>>().unwrap();
    assert_eq!(wrapped.published()["required"], json!(["value"]));
}

#[test]
fn a_type_that_holds_itself_has_a_schema_that_holds_itself() {
    let reply = text(r#"{ "node": [{ "leaf": 1 }, { "node": [] }] }"#);
    assert_eq!(value(&reply), Ok(Tree::Node(vec![Tree::Leaf(1), Tree::Node(Vec::new())])));
    assert!(value::<Tree>(&text(r#"{ "node": [{ "leaf": "x" }] }"#)).is_err());
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_that_it_was_cut_off() {
    assert_eq!(value::<Cell>(&text("the middle")).unwrap_err(), "there is no JSON in the reply");
    assert_eq!(value::<Cell>(&text(r#"{"cell":10}"#)).unwrap_err(), "- `cell`: got 10, must be between 1 and 9");
    let cited = text(r#"As in [1], {"cell":10}."#);
    assert_eq!(value::<Cell>(&cited).unwrap_err(), "- `cell`: got 10, must be between 1 and 9");
    let cut_off = text(r#"{"cell":"#).stopped(StopReason::MaxTokens);
    let told = "the reply was cut off at 64 tokens (`max_tokens`); there is no JSON in the reply";
    assert_eq!(value::<Cell>(&cut_off).unwrap_err(), told);
}

fn offer() -> Offer {
    let schema = json!({ "type": "object", "properties": { "cell": { "type": "integer" } }, "required": ["cell"] });
    let place = SamplingTool::new("place", "Places a mark.").input_schema(schema);
    Offer::new(vec![place, SamplingTool::new("resign", "Gives up.")]).unwrap()
}

/// The names and inputs of the calls, or what is wrong with them.
fn calls(reply: &str) -> Vec<Result<Value, String>> {
    let (offer, read) = (offer(), |_: &str, input: Map<String, Value>| Ok(input));
    let reply = offer.with_written_calls(text(reply));
    let calls = offer.calls(&reply, 64, read).into_iter();
    calls
        .map(|call| call.parsed.map(|input| json!([call.tool_use.name, input])).map_err(|error| error.message))
        .collect()
}

#[test]
fn calls_are_taken_in_the_ways_models_write_them() {
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
fn a_call_that_does_not_fit_is_told_with_what_would() {
    let wrong = |reply| calls(reply).remove(0).unwrap_err();
    assert_eq!(wrong(r#"{"tool":"move"}"#), "there is no tool `move`; the tools are `place`, `resign`");
    let told = wrong(r#"{"tool":"place","input":{"cell":"x"}}"#);
    assert!(told.starts_with("invalid input of `place`:\n- `cell`: got \"x\""), "{told}");
}

#[test]
fn tools_that_models_would_not_take_are_refused() {
    let refused = |tools: Vec<SamplingTool>| Offer::new(tools).err().unwrap().to_string();
    assert!(refused(Vec::new()).contains("there are no tools to call"));
    assert!(refused(vec![SamplingTool::new("a b", "")]).contains("the tool `a b`: a name has"));
    let twice = SamplingTool::new("a", "");
    assert!(refused(vec![twice.clone(), twice]).contains("two tools have this name"));
    let no_object = SamplingTool::new("a", "").input_schema(json!({ "type": "string" }));
    assert!(refused(vec![no_object]).contains("the tool `a`: "));
}

fn prompt(messages: Messages) -> Prompt {
    Prompt {
        messages,
        system_prompt: None,
        max_tokens: 64,
        temperature: None,
        stop_sequences: Vec::new(),
        model_preferences: None,
    }
}

#[test]
fn each_model_is_asked_by_what_it_can() {
    let (offer, expected) = (offer(), Expected::of::<Cell>().unwrap());
    let (nothing, schema) = (ProviderAbilities::new(), ProviderAbilities::new().schema());
    let (tools, all) = (ProviderAbilities::new().tools(), ProviderAbilities::new().schema().tools());
    let said = |wants: Wants<'_>, can| {
        let request = wants.request(&prompt("Go.".into()), can);
        let words = request.messages[0].text();
        (request.schema.is_some(), request.tools.len(), request.tool_choice, words.len() > "Go.".len())
    };
    let value = Wants::Value(&expected);
    assert_eq!(said(value, all), (true, 0, None, false));
    assert_eq!(said(value, tools), (false, 1, Some(ToolChoice::Required), false));
    assert_eq!(said(value, nothing), (false, 0, None, true));
    let required = Wants::Calls(&offer, ToolChoice::Required);
    assert_eq!(said(required, all), (false, 2, Some(ToolChoice::Required), false));
    assert_eq!(said(required, schema), (true, 0, None, true));
    assert_eq!(said(required, nothing), (false, 0, None, true));
    assert_eq!(said(Wants::Calls(&offer, ToolChoice::Auto), schema), (false, 0, None, true));
    assert_eq!(said(Wants::Calls(&offer, ToolChoice::None), nothing), (false, 0, None, false));
}

#[test]
fn a_model_without_tools_is_told_of_calls_in_words() {
    let call = ToolUse::new("c1", "place", json!({ "cell": 5 }).as_object().cloned().unwrap());
    let reply = Sampled::new(vec![SamplingContent::ToolUse(call.clone())], "m");
    let messages = Messages::from("Go.").answered(&reply, [call.error("taken")]).unwrap().user("And now?");
    let request = Wants::Text.request(&prompt(messages), ProviderAbilities::new().tools());
    let words: Vec<_> = request.messages.iter().map(|message| message.text()).collect();
    assert_eq!(words, ["Go.", r#"{"tool":"place","input":{"cell":5}}"#, "The call failed (c1): taken", "And now?"]);
}
