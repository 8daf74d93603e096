//! `1.0` and `1e3` are integers in JSON Schema, and errors name the range of an integer.

#![allow(dead_code, reason = "shown by `Debug`")]

use mcp_runtime::{
    Call, CallToolResult, Content, Server, Tool,
    call::CallFuture,
    prelude::*,
    tool::{Arguments, ArgumentsError, ToolDefinition},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::call_raw;

/// Returns the text of a result that is not an error.
fn text(tools: Vec<Box<dyn Tool>>, arguments: &str) -> String {
    let result = call_raw(tools, arguments);
    assert_ne!(result["isError"], true, "{arguments}: {result}");
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

/// Returns the text of an error result.
fn refusal(tools: Vec<Box<dyn Tool>>, arguments: &str) -> String {
    let result = call_raw(tools, arguments);
    assert_eq!(result["isError"], true, "{arguments}: {result}");
    let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert!(!text.contains(" at line ") && !text.contains("column"), "{text}");
    text
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Inner {
    count: i64,
    #[serde(default)]
    share: f64,
}

#[derive(Debug, Deserialize, JsonSchema)]
enum Kind {
    Unit,
    One(u8),
    Pair(i16, f32),
    Named { size: u64 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type")]
enum Tagged {
    A { n: i32 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(u32),
    Text(String),
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Page {
    #[serde(flatten)]
    inner: Inner,
    limit: Option<usize>,
}

/// Takes integers everywhere.
#[mcp_tool]
#[allow(clippy::too_many_arguments, reason = "one of each")]
async fn everywhere(
    plain: Option<i64>,
    nested: Option<Inner>,
    list: Option<Vec<u32>>,
    pair: Option<(i8, f64)>,
    kind: Option<Kind>,
    tagged: Option<Tagged>,
    untagged: Option<Untagged>,
    flat: Option<Page>,
    map: Option<std::collections::BTreeMap<String, i64>>,
    wide: Option<i128>,
    free: Option<Value>,
) -> String {
    format!(
        "{plain:?} {nested:?} {list:?} {pair:?} {kind:?} {tagged:?} {untagged:?} {flat:?} {map:?} {wide:?} {free:?}"
    )
    .replace("None ", "")
    .replace(" None", "")
}

#[test]
fn accepts_integers_with_a_fraction_or_an_exponent_at_every_depth() {
    for (arguments, read) in [
        (r#"{"plain": 1.0}"#, "Some(1)"),
        (r#"{"plain": 1e3}"#, "Some(1000)"),
        (r#"{"plain": 1200E-2}"#, "Some(12)"),
        (r#"{"plain": -2.50e+1}"#, "Some(-25)"),
        (r#"{"plain": -0.0}"#, "Some(0)"),
        (r#"{"plain": -0}"#, "Some(0)"),
        (r#"{"plain": 0e999999999999}"#, "Some(0)"),
        (r#"{"plain": 9007199254740993.0}"#, "Some(9007199254740993)"),
        (r#"{"plain": 9223372036854775807.000}"#, "Some(9223372036854775807)"),
        (r#"{"nested": {"count": 2.0, "share": 2.0}}"#, "Some(Inner { count: 2, share: 2.0 })"),
        (r#"{"nested": {"count": 2.0, "share": -0.0}}"#, "Some(Inner { count: 2, share: -0.0 })"),
        (r#"{"list": [1, 2.0, 3e0]}"#, "Some([1, 2, 3])"),
        (r#"{"pair": [7.0, 7.0]}"#, "Some((7, 7.0))"),
        (r#"{"kind": {"One": 5.0}}"#, "Some(One(5))"),
        (r#"{"kind": {"Pair": [5.0, 0.5]}}"#, "Some(Pair(5, 0.5))"),
        (r#"{"kind": {"Named": {"size": 18446744073709551615.0}}}"#, "Some(Named { size: 18446744073709551615 })"),
        (r#"{"kind": "Unit"}"#, "Some(Unit)"),
        (r#"{"tagged": {"type": "A", "n": 4.0}}"#, "Some(A { n: 4 })"),
        (r#"{"untagged": 4.0}"#, "Some(Number(4))"),
        (r#"{"untagged": "4.0"}"#, r#"Some(Text("4.0"))"#),
        (
            r#"{"flat": {"count": 4.0, "limit": 1e1}}"#,
            "Some(Page { inner: Inner { count: 4, share: 0.0 }, limit: Some(10) })",
        ),
        (r#"{"map": {"a.0": 1.0, "1e3": 2.0}}"#, r#"Some({"1e3": 2, "a.0": 1})"#),
        (r#"{"wide": 1e30}"#, "Some(1000000000000000000000000000000)"),
        (r#"{"wide": 1180591620717411303425, "plain": 1.0}"#, "Some(1) Some(1180591620717411303425)"),
        (
            r#"{"plain": 1.0, "free": {"rate": 1.0, "text": "1.0 \"2e1\""}}"#,
            r#"Some(1) Some(Object {"rate": Number(1.0), "text": String("1.0 \"2e1\"")})"#,
        ),
    ] {
        assert_eq!(text(tools![everywhere], arguments), read, "{arguments}");
    }
}

#[test]
fn rejects_fractions_for_integers() {
    for arguments in [r#"{"plain": 1.5}"#, r#"{"plain": 1e-1}"#, r#"{"list": [1.0, 2.5]}"#] {
        let told = refusal(tools![everywhere], arguments);
        assert!(told.contains("must be an integer") || told.contains("must be an integer or null"), "{told}");
    }
}

#[test]
fn names_the_range_of_an_integer_that_is_too_large() {
    for (arguments, told) in [
        (
            r#"{"plain": 9223372036854775808}"#,
            "`plain`: got 9223372036854775808, must be between -9223372036854775808 and 9223372036854775807",
        ),
        (r#"{"plain": 1e30}"#, "`plain`: got 1e+30, must be between -9223372036854775808 and 9223372036854775807"),
        (
            r#"{"plain": 1e400}"#,
            "`plain`: got a number above 1.7976931348623157e308, must be between -9223372036854775808 and 9223372036854775807",
        ),
        (
            r#"{"plain": -1e400}"#,
            "`plain`: got a number below -1.7976931348623157e308, must be between -9223372036854775808 and 9223372036854775807",
        ),
        (r#"{"list": [1, 4294967296.0]}"#, "`list[1]`: got 4294967296, must be between 0 and 4294967295"),
        (r#"{"list": [-1.0]}"#, "`list[0]`: got -1, must be between 0 and 4294967295"),
        (
            r#"{"kind": {"Named": {"size": 1e20}}}"#,
            "`kind.Named.size`: got 1e+20, must be between 0 and 18446744073709551615",
        ),
        (
            r#"{"wide": 1e400}"#,
            "`wide`: got a number above 1.7976931348623157e308, must be between -170141183460469231731687303715884105728 and 170141183460469231731687303715884105727",
        ),
        (r#"{"pair": [1, 1e400]}"#, "`pair[1]`: got a number above 1.7976931348623157e308, must be between"),
    ] {
        let refusal = refusal(tools![everywhere], arguments);
        assert!(refusal.contains(told), "{arguments}: {refusal}");
    }
}

/// Whole arguments.
#[mcp_tool]
async fn whole(#[params] page: Page) -> String {
    format!("{page:?}")
}

#[test]
fn accepts_integers_in_other_notations_in_a_params_struct() {
    let read = text(tools![whole], r#"{"count": 3.0, "limit": 5.0}"#);
    assert_eq!(read, "Page { inner: Inner { count: 3, share: 0.0 }, limit: Some(5) }");
}

/// A tool whose schema is written by hand.
struct ByHand;

impl Tool for ByHand {
    fn definition(&self) -> ToolDefinition {
        let schema = json!({
            "type": "object",
            "properties": { "limit": { "type": "integer" }, "rate": { "type": "number" } }
        });
        ToolDefinition::new("by_hand", "By hand.").input_schema(schema).alias("max", "limit")
    }

    fn call(&self, _: Call, arguments: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
        let arguments: Value = arguments.read()?;
        Ok(Box::pin(async move { Ok(CallToolResult::new([Content::text(arguments.to_string())])) }))
    }
}

#[test]
fn a_tool_with_a_handwritten_schema_reads_integers() {
    let tools = || -> Vec<Box<dyn Tool>> { vec![Box::new(ByHand)] };
    assert_eq!(text(tools(), r#"{"limit": 1.0, "rate": 1.0}"#), r#"{"limit":1,"rate":1.0}"#);
    assert_eq!(text(tools(), r#"{"max": 1e2}"#), r#"{"max":100}"#, "under another name");
}

/// Takes no other text than three letters, of which its schema says nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub(crate) struct Code(pub(crate) String);

impl TryFrom<String> for Code {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.len() == 3 { Ok(Self(text)) } else { Err(format!("`{text}` has not three letters")) }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Leg {
    from: Code,
    to: Code,
}

/// Takes legs.
#[mcp_tool]
async fn fly(legs: Vec<Leg>, seats: u32) -> String {
    format!("{legs:?} {seats}")
}

#[test]
fn names_the_path_of_a_value_that_only_the_deserializer_rejects() {
    let told =
        refusal(tools![fly], r#"{"legs": [{"from": "LIS", "to": "TXL"}, {"from": "LI", "to": "TXL"}], "seats": 1}"#);
    assert_eq!(told, "invalid arguments for `fly`:\n- `legs[1].from`: `LI` has not three letters");
    let long = "x".repeat(5000);
    let told = refusal(tools![fly], &format!(r#"{{"legs": [{{"from": "{long}", "to": "TXL"}}], "seats": 1.0}}"#));
    assert!(told.starts_with("invalid arguments for `fly`:\n- `legs[0].from`: `xxx") && told.len() < 600, "{told}");
    let twice = refusal(tools![fly], r#"{"seats": 1, "seats": 2, "legs": []}"#);
    assert!(twice.contains("`seats`"), "{twice}");
}

#[test]
fn a_server_with_these_tools_builds() {
    Server::new("test", "1.0.0").tools(tools![everywhere, whole, fly]).tool(ByHand).build().unwrap();
}
