//! Variant names that the schema does not list: `#[serde(alias)]` and `#[serde(other)]`.

use mcp_runtime::{Tool, prelude::*};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    mcp_tool::whole_numbers::Code,
    support::{call, list},
};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[serde(alias = "kilometre", alias = "kilometer")]
    #[default]
    Km,
    Mile,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Color {
    /// Like blood.
    #[serde(alias = "crimson")]
    Red,
    /// Like grass.
    Green,
    /// Any other.
    #[serde(other)]
    Another,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[allow(dead_code, reason = "shown by `Debug`")]
enum Shape {
    #[serde(alias = "Ring")]
    Circle {
        radius: f64,
    },
    Square {
        side: f64,
    },
    #[serde(other)]
    Another,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "shown by `Debug`")]
enum Filter {
    #[serde(alias = "since")]
    After { day: u8 },
    #[serde(alias = "everything")]
    All,
}

/// Draws a shape.
#[mcp_tool]
async fn draw(
    #[serde(default)] unit: Unit,
    color: Option<Color>,
    shapes: Option<Vec<Shape>>,
    filter: Option<Filter>,
    #[schemars(extend("enum" = ["a", "b"]))] letter: Option<String>,
) -> String {
    format!("{unit:?} {color:?} {shapes:?} {filter:?} {letter:?}").replace(" None", "")
}

fn answer(arguments: Value) -> Value {
    let tools: Vec<Box<dyn Tool>> = tools![draw];
    call(tools, arguments)
}

#[test]
fn accepts_aliases_and_other_variants() {
    for (arguments, read) in [
        (json!({ "unit": "kilometre" }), "Km"),
        (json!({ "unit": "mile" }), "Mile"),
        (json!({ "color": "crimson" }), "Km Some(Red)"),
        (json!({ "color": "mauve" }), "Km Some(Another)"),
        (json!({ "shapes": [{ "kind": "Ring", "radius": 1.0 }] }), "Km Some([Circle { radius: 1.0 }])"),
        (
            json!({ "shapes": [{ "kind": "Star" }, { "kind": "Square", "side": 2 }] }),
            "Km Some([Another, Square { side: 2.0 }])",
        ),
        (json!({ "filter": { "since": { "day": 3 } } }), "Km Some(After { day: 3 })"),
        (json!({ "filter": "everything" }), "Km Some(All)"),
        (json!({ "letter": "a" }), "Km Some(\"a\")"),
    ] {
        let result = answer(arguments.clone());
        assert_eq!(result["content"][0]["text"], read, "{arguments}: {result}");
    }
}

/// Measures a distance.
#[mcp_tool]
async fn measure(#[schemars(example = &"LIS")] from: Code, to: Option<Code>, unit: Unit) -> String {
    format!("{} {} {unit:?}", from.0, to.is_some())
}

#[test]
fn accepts_aliases_next_to_a_type_stricter_than_its_schema() {
    let result = call(tools![measure], json!({ "from": "TXL", "to": "LIS", "unit": "kilometre" }));
    assert_eq!(result["content"][0]["text"], "TXL true Km", "{result}");
}

#[test]
fn rejects_unknown_variants() {
    for arguments in [
        json!({ "unit": "parsec" }),
        json!({ "unit": { "km": null } }),
        json!({ "color": 3 }),
        json!({ "shapes": [{ "kind": "Square" }] }),
        json!({ "shapes": [{ "kind": 7 }] }),
        json!({ "filter": "nothing" }),
        json!({ "filter": { "since": { "day": 300 } } }),
        json!({ "letter": "c" }),
    ] {
        let result = answer(arguments.clone());
        assert_eq!(result["isError"], true, "{arguments}: {result}");
    }
}

#[test]
fn publishes_names_without_aliases() {
    let schema = list(tools![draw])["inputSchema"].to_string();
    for name in ["kilometre", "crimson", "Ring", "since", "everything"] {
        assert!(!schema.contains(name), "{name}: {schema}");
    }
}
