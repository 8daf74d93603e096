//! The definitions that `#[mcp_tool]` publishes and the arguments that it reads, as a client sees them.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

mod blocking;
mod finite;
mod host_schemas;
mod left_out;
mod long_values;
mod refused_by_build;
mod variants;
mod whole_numbers;

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use mcp_runtime::{
    CallToolResult, Server,
    content::{EmbeddedResource, ResourceLink},
    prelude::*,
};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use crate::support::{call, call_with, list};

/// What a person reads in the code.
///
///     indented: by four
/// and not.
#[mcp_tool(
    name = "search.all",
    title = "Search",
    read_only,
    destructive = false,
    idempotent,
    open_world = false,
    allow(unportable_name),
    meta("example.com/version" = 3, tags = vec!["a", "b"])
)]
async fn described() {}

#[test]
fn publishes_the_attribute_and_docs() {
    let mut tool = list(tools![described]);
    let schema = tool.as_object_mut().and_then(|tool| tool.shift_remove("inputSchema")).unwrap();
    assert_eq!((&schema["type"], schema.get("additionalProperties")), (&json!("object"), None));
    assert_eq!(schema["properties"], json!({}));
    assert_eq!(
        tool,
        json!({
            "name": "search.all",
            "title": "Search",
            "description": "What a person reads in the code.\n\n    indented: by four\nand not.",
            "annotations": {
                "readOnlyHint": true,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false
            },
            "_meta": { "example.com/version": 3, "tags": ["a", "b"] }
        })
    );
}

type Maybe<T> = Option<T>;

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Order {
    #[default]
    Up,
    Down,
}

/// Searches for flights.
#[mcp_tool]
async fn flights(
    /// IATA code of the destination.
    #[schemars(length(equal = 3))]
    destination: String,
    zone: Maybe<String>,
    #[serde(rename = "max", alias = "limit", default = "ten")]
    #[schemars(range(min = 1, max = 50))]
    limit: u32,
    #[serde(default)] order: Order,
    #[serde(default)] airline: Option<String>,
    #[serde(skip)] attempts: u8,
) -> String {
    format!("{destination} {zone:?} {limit} {order:?} {airline:?} {attempts}")
}

fn ten() -> u32 {
    10
}

#[test]
fn publishes_parameters_in_order() {
    let schema = list(tools![flights])["inputSchema"].clone();
    let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["destination", "zone", "max", "order", "airline"]);
    assert_eq!(schema["required"], json!(["destination"]), "an alias of `Option` is one");
    assert_eq!(
        schema.get("additionalProperties"),
        None,
        "unknown arguments are rejected, but hosts refuse the keyword"
    );
    let properties = &schema["properties"];
    assert_eq!(properties["destination"]["description"], "IATA code of the destination.");
    assert_eq!(
        (&properties["destination"]["minLength"], &properties["destination"]["maxLength"]),
        (&json!(3), &json!(3))
    );
    assert_eq!((&properties["max"]["minimum"], &properties["max"]["maximum"]), (&json!(1), &json!(50)));
    assert_eq!((&properties["max"]["default"], &properties["order"]["default"]), (&json!(10), &json!("up")));
    assert_eq!(properties["zone"]["type"], json!("string"));
}

#[test]
fn reads_arguments() {
    let read = |arguments| call(tools![flights], arguments)["content"][0]["text"].clone();
    assert_eq!(read(json!({ "destination": "LIS" })), "LIS None 10 Up None 0");
    assert_eq!(
        read(json!({ "destination": "LIS", "zone": "z", "max": 3, "order": "down", "airline": null })),
        "LIS Some(\"z\") 3 Down None 0"
    );
    assert_eq!(read(json!({ "destination": "LIS", "limit": 4 })), "LIS None 4 Up None 0", "the alias");
    let both = call(tools![flights], json!({ "destination": "LIS", "limit": 4, "max": 5 }));
    assert_eq!(both["isError"], true, "{both}");
}

#[test]
fn rejects_unknown_and_missing_arguments() {
    for arguments in
        [json!({ "destination": "LIS", "attempts": 1 }), json!({ "zone": "z" }), json!({ "destination": 3 })]
    {
        assert_eq!(call(tools![flights], arguments.clone())["isError"], true, "{arguments}");
    }
    assert_eq!(call(tools![described], json!({ "a": 1 }))["isError"], true, "a tool without parameters");
}

/// Not `Serialize`.
#[derive(Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    /// Metric.
    Celsius,
    #[default]
    Fahrenheit,
}

/// Not `Serialize`, and not an enum.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct Place {
    #[serde(rename = "name")]
    _name: String,
}

/// Tells the weather.
#[mcp_tool]
async fn weather(
    #[serde(default = 20)]
    #[schemars(range(min = 1, max = 20))]
    days: u8,
    #[serde(default = -0.5)] offset: f64,
    #[serde(default = true)] short: bool,
    #[serde(default = Unit::Celsius)] shown: Unit,
    #[serde(default)] read: Unit,
    #[serde(default)] place: Place,
    _q: Option<String>,
    #[serde(rename = "_raw")] _renamed: Option<bool>,
) -> String {
    let _ = place;
    format!("{days} {offset} {short} {shown:?} {read:?}")
}

#[test]
fn a_default_can_be_any_value() {
    let schema = list(tools![weather])["inputSchema"].clone();
    let default = |name: &str| schema["properties"][name]["default"].clone();
    assert_eq!((default("days"), default("offset"), default("short")), (json!(20), json!(-0.5), json!(true)));
    assert_eq!(call(tools![weather], json!({}))["content"][0]["text"], "20 -0.5 true Celsius Fahrenheit");
}

#[test]
fn publishes_the_default_of_an_enum_without_serialize() {
    let schema = list(tools![weather])["inputSchema"].clone();
    let default = |name: &str| schema["properties"][name].get("default").cloned();
    assert_eq!((default("shown"), default("read")), (Some(json!("celsius")), Some(json!("fahrenheit"))));
    assert_eq!(default("place"), None, "nothing says how it is written");
}

#[test]
fn does_not_publish_the_leading_underscore_of_a_parameter() {
    let schema = list(tools![weather])["inputSchema"].clone();
    let names: Vec<_> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["days", "offset", "short", "shown", "read", "place", "q", "_raw"]);
    let by_its_name = call(tools![weather], json!({ "q": "x" }));
    assert_eq!(by_its_name["isError"], json!(null), "{by_its_name}");
}

/// Neither `Deserialize` nor `JsonSchema`.
struct Date(String);

fn date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    String::deserialize(deserializer).map(Date)
}

mod maybe_date {
    use serde::{Deserialize, Deserializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<super::Date>, D::Error> {
        Option::<String>::deserialize(deserializer).map(|date| date.map(super::Date))
    }
}

/// Reads dates.
#[mcp_tool]
async fn dates(
    #[serde(deserialize_with = "date")]
    #[schemars(with = "String")]
    from: Date,
    #[serde(with = "maybe_date", default)]
    #[schemars(with = "Option<String>")]
    to: Option<Date>,
) -> String {
    from.0 + to.as_ref().map_or("", |date| &date.0)
}

#[test]
fn uses_custom_deserializers() {
    let schema = list(tools![dates])["inputSchema"].clone();
    assert_eq!(schema["properties"]["from"]["type"], "string");
    assert_eq!(schema["required"], json!(["from"]));
    assert_eq!(call(tools![dates], json!({ "from": "a" }))["content"][0]["text"], "a");
    assert_eq!(call(tools![dates], json!({ "from": "a", "to": "b" }))["content"][0]["text"], "ab");
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Query {
    /// What to look for.
    search_text: String,
    #[serde(default)]
    limit: u32,
}

/// Searches.
#[mcp_tool]
async fn whole(#[params] query: Query) -> String {
    format!("{} {}", query.search_text, query.limit)
}

#[test]
fn a_params_struct_takes_the_whole_object() {
    let schema = list(tools![whole])["inputSchema"].clone();
    assert_eq!(schema["properties"]["searchText"]["description"], "What to look for.");
    assert_eq!(schema["required"], json!(["searchText"]));
    assert_eq!(call(tools![whole], json!({ "searchText": "tea" }))["content"][0]["text"], "tea 0");
}

struct Counter(AtomicU32);

/// Counts the notes.
#[mcp_tool]
async fn count(counter: &Counter, step: u32, ctx: &Ctx, shared: &Arc<str>) -> String {
    let _: &Ctx = ctx;
    format!("{shared} {}", counter.0.fetch_add(step, Ordering::Relaxed))
}

#[test]
fn references_come_from_the_server() {
    let server = Server::new("test", "1.0.0").state(Counter(AtomicU32::new(3))).state::<Arc<str>>("count".into());
    assert_eq!(call_with(server, tools![count], json!({ "step": 2 }))["content"][0]["text"], "count 3");
    let error =
        Server::new("test", "1.0.0").state(Counter(AtomicU32::new(3))).tools(tools![count]).build().unwrap_err();
    assert!(error.to_string().contains("count") && error.to_string().contains("Arc<str>"), "{error}");
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    /// All together.
    total: i64,
}

macro_rules! returning {
    ($($name:ident -> $output:ty = $value:expr;)*) => {$(
        /// Returns something.
        #[mcp_tool]
        async fn $name() -> $output {
            $value
        }
    )*};
}

returning! {
    unit -> () = ();
    text -> &'static str = "text";
    shown -> Text<i64> = Text(3);
    structured -> Json<Sum> = Json(Sum { total: 3 });
    fallible -> mcp_runtime::Result<Json<Sum>> = Ok(Json(Sum { total: 3 }));
    failed -> Result<String, std::num::ParseIntError> = "x".parse::<i64>().map(|number| number.to_string());
    blocks -> Vec<Content> = vec![Content::text("a"), ResourceLink::new("file:///a", "a").into()];
    resource -> EmbeddedResource = EmbeddedResource::text("file:///a", "a");
    whole_result -> CallToolResult = CallToolResult::error("no");
}

#[test]
fn converts_outputs_to_results() {
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    assert_eq!(call(tools![unit], json!({}))["content"], json!([]));
    assert_eq!(call(tools![text], json!({}))["content"], text("text"));
    assert_eq!(call(tools![shown], json!({}))["content"], text("3"));
    for tools in [tools![structured], tools![fallible]] {
        let result = call(tools, json!({}));
        assert_eq!(result["structuredContent"], json!({ "total": 3 }));
        assert_eq!(result["content"], text("{\"total\":3}"));
    }
    let failed = call(tools![failed], json!({}));
    assert_eq!((&failed["isError"], &failed["content"]), (&json!(true), &text("invalid digit found in string")));
    assert_eq!(call(tools![blocks], json!({}))["content"][1]["type"], "resource_link");
    assert_eq!(call(tools![resource], json!({}))["content"][0]["resource"]["uri"], "file:///a");
    assert_eq!(call(tools![whole_result], json!({}))["isError"], true);
}

#[test]
fn derives_the_output_schema_from_the_type() {
    for tools in [tools![structured], tools![fallible]] {
        let schema = list(tools)["outputSchema"].clone();
        assert_eq!(schema["properties"]["total"]["description"], "All together.");
        assert_eq!(schema["type"], "object");
    }
    assert_eq!(list(tools![text]).get("outputSchema"), None);
}

/// Reads a number.
#[mcp_tool]
async fn number(
    #[serde(deserialize_with = "leniently")]
    #[schemars(with = "u32")]
    number: String,
) -> String {
    number
}

fn leniently<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    serde_json::Value::deserialize(deserializer).map(|value| value.to_string())
}

#[test]
fn checks_the_schema_for_any_deserializer() {
    assert_eq!(call(tools![number], json!({ "number": 3 }))["content"][0]["text"], "3");
    assert_eq!(call(tools![number], json!({ "number": "three" }))["isError"], true);
}

/// Starts a machine.
#[mcp_tool]
async fn start(
    #[schemars(extend("x-mcp-header" = "Region"))] region: String,
    #[schemars(extend("x-mcp-header" = "Zone", "type" = "string"))] zone: Option<String>,
) -> String {
    format!("{region} {zone:?}")
}

/// Clients drop a tool whose annotated property has several types.
#[test]
fn publishes_which_argument_is_repeated_in_a_header() {
    let schema = list(tools![start])["inputSchema"].clone();
    assert_eq!(schema["properties"]["region"], json!({ "type": "string", "x-mcp-header": "Region" }));
    assert_eq!(schema["properties"]["zone"], json!({ "type": "string", "x-mcp-header": "Zone" }));
    assert_eq!(schema["required"], json!(["region"]));
    let read = |arguments| call(tools![start], arguments)["content"][0]["text"].clone();
    assert_eq!(read(json!({ "region": "eu" })), "eu None");
    assert_eq!(read(json!({ "region": "eu", "zone": "b" })), "eu Some(\"b\")");
}
