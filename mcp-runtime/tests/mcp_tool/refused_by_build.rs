//! `build()` rejects tools that compile but cannot be called. The error names the tool and the field.

use mcp_runtime::{
    Call, Server, Tool,
    call::CallFuture,
    prelude::*,
    prompt::PromptList,
    resource::ResourceList,
    tool::{Arguments, ArgumentsError, ToolDefinition, ToolList},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Returns the errors of `build()` for one tool.
fn told(tools: Vec<Box<dyn Tool>>) -> String {
    Server::new("test", "1.0.0").tools(tools).build().unwrap_err().to_string()
}

fn nearly() -> f64 {
    f64::NAN
}

fn many() -> u32 {
    200
}

#[test]
fn names_the_setting_that_adds_a_list() {
    /// Changes the lists.
    #[mcp_tool]
    async fn change(_tools: &ToolList, _prompts: &PromptList, _resources: &ResourceList) {}
    let told = told(tools![change]);
    for (list, setting) in
        [("ToolList", "dynamic_tools"), ("PromptList", "dynamic_prompts"), ("ResourceList", "dynamic_resources")]
    {
        let line =
            format!("tool `change`: takes `&{list}`, but this list of the server cannot change; add `.{setting}()`");
        assert!(told.contains(&line), "{told}");
    }
    let server = Server::new("test", "1.0.0").dynamic_tools().dynamic_prompts().dynamic_resources();
    server.tools(tools![change]).build().unwrap();
}

#[test]
fn rejects_a_default_outside_its_own_constraints() {
    /// Lists.
    #[mcp_tool]
    async fn by_function(
        #[serde(default = "many")]
        #[schemars(range(min = 1, max = 50))]
        _limit: u32,
    ) {
    }
    assert_eq!(
        told(tools![by_function]),
        "the server cannot be built: tool `by_function`: input schema: `properties.limit`: the default does not fit: \
         got 200, must be between 1 and 50"
    );

    /// Lists.
    #[mcp_tool]
    async fn by_literal(
        #[serde(default = String::from("ab"))]
        #[schemars(length(min = 3))]
        _name: String,
        #[serde(default = vec![1, 2, 300])]
        #[schemars(inner(range(max = 99)))]
        _sizes: Vec<u32>,
    ) {
    }
    let told_of = told(tools![by_literal]);
    for line in [
        "`properties.name`: the default does not fit: got \"ab\" (2 characters), must have at least 3 characters",
        "`properties.sizes`: the default does not fit: `[2]`: got 300, must be between 0 and 99",
    ] {
        assert!(told_of.contains(line), "{told_of}");
    }

    #[derive(Default, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Page {
        #[schemars(range(min = 1))]
        size: u32,
    }
    /// Lists.
    #[mcp_tool]
    async fn by_struct(#[params] page: Page) -> Text<u32> {
        Text(page.size)
    }
    let told_of = told(tools![by_struct]);
    assert!(told_of.contains("`properties.size`: the default does not fit: got 0, must be between 1 and"), "{told_of}");
}

fn broken() -> u32 {
    panic!("no limit is known")
}

#[test]
fn rejects_a_default_that_panics() {
    /// Lists.
    #[mcp_tool]
    async fn by_function(_name: String, #[serde(default = "broken")] _limit: u32) {}
    assert_eq!(
        told(tools![by_function]),
        "the server cannot be built: tool `by_function`: the default of `limit` panics: no limit is known"
    );

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    struct Page {
        #[serde(default = "broken")]
        size: u32,
    }
    /// Lists.
    #[mcp_tool]
    async fn in_a_field(_page: Page) {}
    /// Lists.
    #[mcp_tool]
    async fn in_the_whole(#[params] _page: Page) {}
    let told_of = told(tools![in_a_field, in_the_whole]);
    let reason = "cannot be made, because code of its type panics, such as the default of a field: no limit is known";
    for line in [
        format!("tool `in_a_field`: the schema of `page` {reason}"),
        format!("tool `in_the_whole`: the schema of the arguments {reason}"),
    ] {
        assert!(told_of.contains(&line), "{told_of}");
    }
}

#[test]
fn rejects_a_default_that_is_not_finite() {
    /// Rounds a number.
    #[mcp_tool]
    async fn round(#[serde(default = "nearly")] _ratio: f64) {}
    assert_eq!(
        told(tools![round]),
        "the server cannot be built: tool `round`: input schema: `properties.ratio`: the default does not fit: got null, \
         must be a number; JSON writes NaN and infinity as null"
    );
}

#[test]
fn checks_a_default_of_a_handwritten_schema() {
    struct ByHand;
    impl Tool for ByHand {
        fn definition(&self) -> ToolDefinition {
            let limit = json!({ "type": "integer", "maximum": 5, "default": 6 });
            let schema = json!({ "type": "object", "properties": { "limit": limit } });
            ToolDefinition::new("by_hand", "By hand.").input_schema_verbatim(schema)
        }

        fn call(&self, _: Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
            unreachable!("nobody calls it")
        }
    }
    let told_of = Server::new("s", "1").tool(ByHand).build().unwrap_err().to_string();
    assert!(told_of.contains("`properties.limit`: the default does not fit: got 6, must be at most 5"), "{told_of}");
}

/// A type that is written as an object, and read from a text.
#[derive(Serialize)]
struct Wait {
    seconds: u64,
}

fn read_wait<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Wait, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.trim_end_matches('s').parse().map(|seconds| Wait { seconds }).map_err(serde::de::Error::custom)
}

fn a_minute() -> Wait {
    Wait { seconds: 60 }
}

#[test]
fn omits_a_default_that_cannot_be_read_back() {
    /// Waits a moment.
    #[mcp_tool]
    async fn wait(
        #[serde(default = "a_minute", deserialize_with = "read_wait")]
        #[schemars(with = "String")]
        how_long: Wait,
    ) -> Text<u64> {
        Text(how_long.seconds)
    }
    let service = Server::new("s", "1").tools(tools![wait]).build().unwrap();
    assert_eq!(service.manifest()["tools"][0]["inputSchema"]["properties"]["how_long"], json!({ "type": "string" }));
}

#[test]
#[allow(unreachable_patterns, reason = "the compiler warns of the mistake as well")]
fn rejects_variants_with_the_same_name() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Unit {
        Km,
        #[serde(rename = "km")]
        Mile,
    }
    /// Measures a distance.
    #[mcp_tool]
    async fn measure(_unit: Unit) {}
    assert_eq!(
        told(tools![measure]),
        "the server cannot be built: tool `measure`: input schema: `properties.unit`: two variants have the name `km`; \
         rename one of them: `#[serde(rename = \"…\")]`"
    );

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    enum Described {
        /// Far.
        Km,
        /// Very far.
        #[serde(rename = "Km")]
        Mile,
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    #[serde(tag = "kind")]
    enum Tagged {
        Circle {
            radius: f64,
        },
        #[serde(rename = "Circle")]
        Square {
            side: f64,
        },
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    enum Keyed {
        Circle {
            radius: f64,
        },
        #[serde(rename = "Circle")]
        Square {
            side: f64,
        },
        Point,
    }
    /// Measures.
    #[mcp_tool]
    async fn several(_units: Vec<Described>, _tagged: Option<Tagged>, _keyed: Keyed) {}
    let told_of = told(tools![several]);
    for line in [
        "`properties.units.items`: two variants have the name `Km`",
        "two variants have the name `Circle`",
        "`properties.keyed`: two variants have the name `Circle`",
    ] {
        assert!(told_of.contains(line), "{line}: {told_of}");
    }
    assert_eq!(told_of.lines().count(), 4, "{told_of}");
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "it is never read")]
struct Inner {
    id: String,
}

#[test]
#[allow(unreachable_patterns, reason = "the compiler warns of some of the mistakes as well")]
fn rejects_duplicate_fields_that_no_arguments_fit() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    struct Both {
        id: String,
        #[serde(flatten)]
        inner: Inner,
    }
    /// Finds a note.
    #[mcp_tool]
    async fn find(#[params] _both: Both) {}
    assert_eq!(
        told(tools![find]),
        "the server cannot be built: tool `find`: input schema: `id`: two fields have this name, so \
         no arguments can be read; rename one of them, or remove the `#[serde(flatten)]`, `#[serde(rename)]` or \
         `#[serde(alias)]` that gives it this name"
    );

    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    struct First {
        id: Option<String>,
        #[serde(flatten)]
        inner: Inner,
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    struct Renamed {
        #[serde(rename = "to")]
        destination: Option<String>,
        to: String,
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    struct Aliased {
        #[serde(alias = "to")]
        destination: String,
        to: String,
    }
    /// Finds.
    #[mcp_tool]
    async fn first(#[params] _first: First) {}
    /// Finds.
    #[mcp_tool]
    async fn renamed(_within: Vec<Renamed>) {}
    /// Finds.
    #[mcp_tool]
    async fn aliased(#[params] _aliased: Aliased) {}
    let told_of = told(tools![first, renamed, aliased]);
    for line in [
        "tool `first`: input schema: `id`: two fields have this name",
        "tool `renamed`: input schema: `to`: two fields have this name",
        "tool `aliased`: input schema: `destination`: two fields have this name",
    ] {
        assert!(told_of.contains(line), "{line}: {told_of}");
    }
}

#[test]
fn accepts_flattened_fields_that_can_be_read() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "it is never read")]
    struct Outer {
        name: String,
        #[serde(flatten)]
        inner: Inner,
        #[serde(flatten)]
        rest: std::collections::BTreeMap<String, u32>,
    }
    /// Finds a note.
    #[mcp_tool]
    async fn find(#[params] _outer: Outer) {}
    Server::new("s", "1").tools(tools![find]).build().unwrap();
}
