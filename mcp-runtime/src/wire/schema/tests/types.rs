//! Compares the checker with serde on schemas of Rust types.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    num::{NonZeroI32, NonZeroU16},
    path::PathBuf,
    time::Duration,
};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::check_as_sent;
use crate::wire::schema::{InputSchema, InputSettings, parameter::Whole};

#[derive(Deserialize, JsonSchema)]
struct Args<T> {
    #[allow(dead_code, reason = "only read")]
    v: T,
}

fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<Args<T>>().to_value()
}

/// Values of many kinds; every type below accepts some of them and rejects others.
fn pool() -> Vec<Value> {
    let mut pool = vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(-1),
        json!(255),
        json!(256),
        json!(-129),
        json!(65536),
        json!(i32::MAX),
        json!(i64::from(i32::MAX) + 1),
        json!(i64::from(u32::MAX) + 1),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1.5),
        json!("a"),
        json!("A"),
        json!("B"),
        json!("Quiet"),
        json!("Loud"),
        json!("ab"),
        json!("1.2.3.4"),
        json!("::1"),
        json!([]),
        json!([1, "a"]),
        json!([1, 2, 3]),
        json!([1, 2]),
        json!(["a", "b"]),
        json!({}),
        json!({ "1": 1 }),
        json!({ "-1": 1 }),
        json!({ "A": 1 }),
        json!({ "x": 1 }),
        json!({ "x": 300 }),
        json!({ "x": "1" }),
        json!({ "x": 1, "y": "z" }),
        json!({ "x": 1, "y": null }),
        json!({ "x": 1, "z": 1 }),
        json!({ "secs": 1, "nanos": 2 }),
        json!({ "Ok": 1 }),
        json!({ "Err": "no" }),
    ];
    for inner in [json!(1), json!("a"), json!({ "x": 1 }), json!([1, "a"])] {
        for tag in ["Unit", "New", "Struct", "Tuple"] {
            pool.push(json!({ tag: inner }));
            // The schema allows a unit variant with content; serde rejects it with its own message.
            if tag != "Unit" {
                pool.push(json!({ "t": tag, "c": inner }));
            }
        }
    }
    for tag in ["Unit", "New", "Struct", "Tuple"] {
        pool.push(json!(tag));
        pool.push(json!({ "t": tag }));
        pool.push(json!({ "t": tag, "x": 1 }));
        pool.push(json!({ "t": tag, "x": "1" }));
    }
    let leaf = json!({ "name": "leaf", "children": [] });
    pool.push(leaf.clone());
    pool.push(
        json!({ "name": "root", "children": [leaf, { "name": "n", "children": [{ "name": 1, "children": [] }] }] }),
    );
    pool.push(json!({ "name": "root", "children": [{ "name": "n", "children": [] }], "next": null }));
    pool
}

/// Returns the schema of a tool whose reader was tested.
fn of_reader<T: DeserializeOwned + JsonSchema>() -> InputSchema {
    let takes = Whole::<Args<T>>::OF.takes;
    InputSchema::of_tool(schema_of::<T>(), Some(takes), InputSettings::default()).expect("a good schema")
}

/// Checks that serde and the checker agree on every value of the pool, and that `needs_check` is as expected.
#[track_caller]
fn agree<T: DeserializeOwned + JsonSchema>(needs_check: bool) -> InputSchema {
    let name = std::any::type_name::<T>();
    let given = schema_of::<T>();
    let schema = InputSchema::new(given.clone()).unwrap_or_else(|problems| panic!("{name}: {problems:?}\n{given}"));
    assert_eq!(schema.needs_check(), needs_check, "needs_check of {name}: {given}");
    let tool = InputSchema::of_tool(given.clone(), None, InputSettings::default()).expect("a good schema");
    let with_reader = of_reader::<T>();
    let published = jsonschema::draft202012::new(&tool.to_value()).expect("what is published is valid");
    let (mut read, mut refused) = (0, 0);
    for v in pool() {
        let arguments = json!({ "v": v }).to_string();
        let serde = serde_json::from_str::<Args<T>>(&arguments);
        let check = check_as_sent(&schema, &arguments);
        if check.is_ok() && !arguments.contains("null") {
            assert!(published.is_valid(&json!({ "v": v })), "{name} of {arguments} as published: {}", tool.to_value());
        }
        // serde also reads structs from arrays, which no schema shows.
        let is_lax = arguments.contains('[')
            && check.as_ref().is_err_and(|violations| violations.to_string().contains("must be an object"));
        if !is_lax {
            assert_eq!(serde.is_ok(), check.is_ok(), "{name} of {arguments}: {:?}, {check:?}\n{given}", serde.err());
        }
        // Schemas that only demand types are not checked.
        if needs_check && schema.surely_fits(&arguments) && serde.is_ok() {
            assert!(check.is_ok(), "{name} of {arguments} fits at a quick look: {check:?}\n{given}");
        }
        if needs_check && with_reader.surely_fits(&arguments) && serde.is_ok() && !is_lax {
            assert!(check.is_ok(), "{name} of {arguments} is left to the reader: {check:?}\n{given}");
        }
        read += usize::from(serde.is_ok());
        refused += usize::from(serde.is_err());
    }
    assert!(read > 0 && refused > 0, "{name}: {read} read, {refused} refused");
    assert!(!schema.to_value().to_string().contains("int32"), "{name}: {}", schema.to_value());
    schema
}

#[test]
fn numbers() {
    agree::<u8>(false);
    agree::<i8>(false);
    agree::<u16>(false);
    agree::<i16>(false);
    agree::<u32>(false);
    agree::<i32>(false);
    agree::<u64>(false);
    agree::<i64>(false);
    agree::<usize>(false);
    agree::<isize>(false);
    agree::<u128>(false);
    agree::<i128>(false);
    agree::<f32>(false);
    agree::<f64>(false);
    agree::<NonZeroU16>(true);
    agree::<NonZeroI32>(true);
}

#[test]
fn scalars_and_collections() {
    agree::<bool>(false);
    agree::<String>(false);
    agree::<char>(true);
    agree::<PathBuf>(false);
    agree::<IpAddr>(true);
    agree::<Duration>(false);
    agree::<Option<u8>>(false);
    agree::<Vec<u8>>(false);
    agree::<(u8, String)>(false);
    agree::<[u8; 3]>(true);
    agree::<HashMap<String, u8>>(false);
    agree::<BTreeMap<u32, u8>>(false);
    agree::<BTreeMap<i32, u8>>(false);
    agree::<Map<String, Value>>(false);
}

#[derive(Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
enum Plain {
    A,
    B,
}

#[derive(Deserialize, JsonSchema)]
enum Documented {
    /// Says nothing.
    Quiet,
    /// Says all.
    Loud,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only read")]
struct Point {
    x: u8,
    y: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only read")]
struct Closed {
    x: u8,
    #[serde(default)]
    y: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only read")]
enum External {
    Unit,
    New(u8),
    Struct { x: u8 },
    Tuple(u8, String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t")]
#[allow(dead_code, reason = "only read")]
enum Internal {
    Unit,
    New(Point),
    Struct { x: u8 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code, reason = "only read")]
enum Adjacent {
    Unit,
    New(u8),
    Struct { x: u8 },
    Tuple(u8, String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only read")]
enum Untagged {
    Text(String),
    Point(Closed),
    Pair(u8, String),
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code, reason = "only read")]
struct Tree {
    name: String,
    /// Below this one.
    children: Vec<Tree>,
    /// Beside this one.
    next: Option<Box<Tree>>,
}

#[test]
fn structs_and_enums() {
    agree::<Point>(false);
    agree::<Option<Point>>(false);
    agree::<Closed>(false);
    agree::<Plain>(true);
    agree::<Option<Plain>>(true);
    agree::<BTreeMap<Plain, u8>>(false);
    agree::<Documented>(true);
    agree::<Option<Documented>>(true);
    agree::<External>(true);
    agree::<Internal>(true);
    agree::<Adjacent>(true);
    agree::<Untagged>(true);
    agree::<Vec<Option<Untagged>>>(true);
}

#[test]
fn accepts_listed_names_on_the_fast_path() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only read")]
    struct Order {
        plain: Plain,
        documented: Option<Documented>,
        #[serde(default)]
        many: Vec<Option<Plain>>,
        count: u32,
        price: f64,
        point: Option<Point>,
        by_name: HashMap<String, Plain>,
    }
    let schema = InputSchema::new(schema_of::<Order>()).expect("good");
    let order = |member: &str, value: &str| {
        let mut order = json!({ "plain": "A", "documented": "Loud", "many": ["B", null], "count": 3, "price": 2.5 });
        order["point"] = json!({ "x": 1, "y": "z" });
        order["by_name"] = json!({ "one": "A", "two": "B" });
        let mut order = json!({ "v": order }).to_string();
        if !member.is_empty() {
            let whole: Value = serde_json::from_str(&order).expect("JSON");
            let (now, then) = (format!("\"{member}\":{}", whole["v"][member]), format!("\"{member}\":{value}"));
            assert!(order.contains(&now), "{now}");
            order = order.replace(&now, &then);
        }
        order
    };
    assert!(schema.needs_check());
    for (member, value) in [("", ""), ("documented", "null"), ("many", "[]"), ("point", "null"), ("price", "1e2")] {
        let arguments = order(member, value);
        assert!(schema.surely_fits(&arguments) && schema.check(&arguments).is_ok(), "{arguments}");
    }
    let not = [
        ("plain", "\"C\""),
        ("plain", "{\"A\":null}"),
        ("plain", "\"\\u0041\""),
        ("plain", "0"),
        ("plain", "null"),
        ("documented", "\"Silent\""),
        ("documented", "{\"Loud\":null}"),
        ("many", "[\"A\",\"C\"]"),
        ("many", "{}"),
        ("count", "3.0"),
        ("count", "-0"),
        ("count", "true"),
        ("price", "\"1\""),
        ("point", "[1,\"z\"]"),
        ("point", "{\"x\":1,\"y\":2}"),
        ("by_name", "{\"one\":\"C\"}"),
        ("by_name", "{\"one\":\"A\",\"one\":\"C\"}"),
    ];
    for (member, value) in not {
        let arguments = order(member, value);
        assert!(!schema.surely_fits(&arguments), "{arguments}");
    }
    assert!(!schema.surely_fits("[]") && !schema.surely_fits(&format!("{} 1", order("", ""))));
    let untyped = InputSchema::new(schema_of::<Order>()).expect("good").untyped();
    assert!(!untyped.surely_fits(&order("", "")));
}

#[test]
fn leaves_names_to_a_reader_that_rejects_all_others() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only read")]
    struct Order {
        plain: Plain,
        documented: Option<Documented>,
        many: Vec<Option<Plain>>,
    }
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only read")]
    struct Listed {
        #[schemars(extend("enum" = ["A", "B"]))]
        name: String,
        plain: Plain,
    }
    let unknown = r#"{"v":{"plain":"C","documented":"Loud","many":["A"]}}"#;
    let order = of_reader::<Order>();
    assert!(order.surely_fits(unknown) && serde_json::from_str::<Args<Order>>(unknown).is_err());
    assert!(!order.surely_fits(&unknown.replace("\"C\"", "{\"A\":null}")), "the reader would accept it");
    assert!(!of_reader::<Listed>().surely_fits(r#"{"v":{"name":"C","plain":"A"}}"#), "the reader accepts every name");
    let map = of_reader::<HashMap<String, Plain>>();
    assert!(!map.surely_fits(r#"{"v":{"x":"C"}}"#), "the test of the reader does not reach the names");
}

#[test]
fn keeps_only_the_definition_of_a_recursive_type() {
    let schema = agree::<Tree>(false);
    let published = &schema.to_value();
    assert_eq!(published["$defs"].as_object().map(Map::len), Some(1));
    let error = schema.check(r#"{"v":{"name":"a","children":[{"name":"b","children":[],"next":{"name":5}}]}}"#);
    assert_eq!(
        error.expect_err("wrong").to_string(),
        "- `v.children[0].next.name`: got 5, must be a string\n\
         - `v.children[0].next.children`: missing; an array of objects is required (Below this one)",
    );
}

#[test]
fn enforces_constraints_that_the_author_adds() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code, reason = "only read")]
    struct Search {
        #[schemars(range(min = 1, max = 50))]
        limit: u32,
        #[schemars(length(min = 2))]
        query: String,
        #[schemars(inner(range(max = 9)))]
        digits: Vec<u8>,
        #[schemars(email)]
        reply_to: Option<String>,
    }
    let schema = InputSchema::new(schema_of::<Search>()).expect("good");
    assert!(schema.needs_check());
    let fitting = r#"{"v":{"limit":50,"query":"ab","digits":[9],"reply_to":null}}"#;
    assert!(schema.check(fitting).is_ok());
    let failing = r#"{"v":{"limit":51,"query":"a","digits":[9,10],"reply_to":"me"}}"#;
    assert_eq!(
        schema.check(failing).expect_err("wrong").to_string(),
        "- `v.limit`: got 51, must be between 1 and 50\n\
         - `v.query`: got \"a\" (1 character), must have at least 2 characters\n\
         - `v.digits[1]`: got 10, must be between 0 and 9\n\
         - `v.reply_to`: got \"me\", must be an email address",
    );
}
