//! Checks which arguments are rewritten before they are read.

use serde_json::{Value, json};

use crate::wire::schema::{InputSchema, InputSettings};

fn schema() -> InputSchema {
    let text = json!({ "type": "string" });
    let place = json!({
        "type": "object",
        "properties": { "name": text, "zip": { "type": "integer" }, "tags": { "type": "array", "items": text } },
        "required": ["name"],
        "additionalProperties": false,
    });
    InputSchema::new(json!({
        "type": "object",
        "properties": {
            "query": text,
            "page": { "type": "integer", "minimum": 1, "maximum": 100, "default": 1 },
            "ratio": { "type": "number" },
            "loud": { "type": "boolean" },
            "maybe": { "type": ["integer", "null"] },
            "any": {},
            "either": { "anyOf": [{ "type": "integer" }, text] },
            "shape": { "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "a" }, "size": { "type": "integer" } }, "required": ["kind"] },
                { "type": "object", "properties": { "kind": { "const": "b" } }, "required": ["kind"] },
            ] },
            "place": place,
            "places": { "type": "array", "items": place },
            "labels": { "type": "object", "additionalProperties": { "type": "integer" } },
            "pair": { "type": "array", "prefixItems": [text, { "type": "integer" }], "minItems": 2, "maxItems": 2 },
        },
        "required": ["query"],
        "additionalProperties": false,
    }))
    .expect("a good schema")
    .with_aliases(vec![("p".into(), "page".into())])
}

#[track_caller]
#[allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]
fn assert_read(sent: &str, expected: Value) {
    let schema = schema();
    let read = schema.checked(sent).unwrap_or_else(|violations| panic!("{sent}: {violations}"));
    assert_eq!(serde_json::from_str::<Value>(&read).expect("JSON"), expected, "{read}");
}

#[track_caller]
fn assert_rejected(sent: &str, expected: &str) {
    let error = schema().checked(sent).expect_err("the arguments do not fit").to_string();
    assert_eq!(error, expected);
}

#[test]
fn null_means_left_out_for_a_property_that_is_not_required() {
    assert_read(r#"{"query":"x","page":null}"#, json!({ "query": "x" }));
    assert_read(r#"{ "page" : null , "query" : "x" }"#, json!({ "query": "x" }));
    assert_read(r#"{"p":null,"ratio":null,"query":"x","loud":null,"place":null}"#, json!({ "query": "x" }));
    assert_read(r#"{"ratio":null,"p":7,"query":"x"}"#, json!({ "p": 7, "query": "x" }));
    let place = json!({ "query": "x", "place": { "name": "y" } });
    assert_read(r#"{"query":"x","place":{"zip":null,"name":"y","tags":null}}"#, place);
    let places = json!({ "query": "x", "places": [{ "name": "y" }, { "name": "z", "zip": 1 }] });
    assert_read(r#"{"places":[{"name":"y","zip":null},{"zip":1,"name":"z"}],"query":"x"}"#, places);
    assert_read(r#"{"query":"x","shape":{"kind":"a","size":null}}"#, json!({ "query": "x", "shape": { "kind": "a" } }));
    assert_read(r#"{"query":"x","page":"null"}"#, json!({ "query": "x" }));
}

#[test]
fn null_stays_where_it_has_a_meaning() {
    let sent = json!({ "query": "x", "maybe": null, "any": null });
    assert_read(&sent.to_string(), sent.clone());
    assert_rejected(r#"{"query":null}"#, "- `query`: got null, must be a string");
    assert_rejected(r#"{"query":"x","labels":{"a":null}}"#, "- `labels.a`: got null, must be an integer");
    assert!(schema().check(r#"{"query":"x","unknown":null}"#).is_err());
}

#[test]
fn json_in_a_string_is_read_where_the_schema_allows_no_string() {
    assert_read(r#"{"query":"x","page":"3"}"#, json!({ "query": "x", "page": 3 }));
    assert_read(r#"{"query":"x","page":"3.0"}"#, json!({ "query": "x", "page": 3 }));
    assert_read(r#"{"query":"x","ratio":"2.5","loud":"true"}"#, json!({ "query": "x", "ratio": 2.5, "loud": true }));
    let padded = r#"{"query":"x","maybe":"4","pair":" [\"a\",1]\n"}"#;
    assert_read(padded, json!({ "query": "x", "maybe": 4, "pair": ["a", 1] }));
    let place = json!({ "query": "x", "place": { "name": "y", "tags": ["a"] } });
    assert_read(r#"{"query":"x","place":"{\"name\":\"y\",\"zip\":null,\"tags\":[\"a\"]}"}"#, place);
    assert_read(r#"{"query":"x","pair":"[\"3\", 4]"}"#, json!({ "query": "x", "pair": ["3", 4] }));
    assert_read(r#"{"query":"x","labels":{"a":"1","b":2.0}}"#, json!({ "query": "x", "labels": { "a": 1, "b": 2 } }));
    let shape = json!({ "query": "x", "shape": { "kind": "a", "size": 1 } });
    assert_read(r#"{"query":"x","shape":"{\"kind\":\"a\",\"size\":1}"}"#, shape);
}

#[test]
fn a_string_stays_where_the_schema_allows_a_string() {
    let space = "- `page`: got \"3 \", must be an integer between 1 and 100; write it without the quotes";
    assert_rejected(r#"{"query":"x","page":"3 "}"#, space);
    for sent in
        [r#"{"query":"[1,2]"}"#, r#"{"query":"3"}"#, r#"{"query":"x","either":"3"}"#, r#"{"query":"x","any":"{}"}"#]
    {
        assert_read(sent, serde_json::from_str(sent).expect("JSON"));
    }
}

#[test]
fn json_in_a_string_inside_of_json_in_a_string_is_not_read() {
    let place = json!({ "name": "y", "zip": "3" }).to_string();
    let sent = json!({ "query": "x", "place": place }).to_string();
    assert_rejected(&sent, "- `place.zip`: got \"3\", must be an integer; write it without the quotes");
}

#[test]
fn json_in_a_string_is_not_read_if_the_server_says_so() {
    let exact = json!({ "properties": { "page": { "type": "integer" }, "q": { "type": "string" } } });
    let settings = InputSettings { reads_json_strings: false, ..InputSettings::default() };
    let schema = InputSchema::of_tool(exact, None, settings).expect("a good schema");
    assert!(schema.check(r#"{"page":"3"}"#).is_err());
    assert!(schema.check(r#"{"page":"null"}"#).is_err());
    assert_eq!(schema.checked(r#"{"page":null,"q":"x"}"#).expect("null means left out"), r#"{"q":"x"}"#);
    assert_eq!(schema.checked(r#"{"page":3.0}"#).expect("a whole number is an integer"), r#"{"page":3}"#);
}

#[test]
fn errors_show_the_values_that_the_model_sent() {
    let range = "an integer between 1 and 100";
    assert_rejected(
        r#"{"query":"x","page":"500"}"#,
        &format!("- `page`: got \"500\", must be {range}; write it without the quotes"),
    );
    assert_rejected(r#"{"query":"x","page":"many","ratio":null}"#, &format!("- `page`: got \"many\", must be {range}"));
    assert_rejected(r#"{"query":"x","page":"1","ratio":"much"}"#, "- `ratio`: got \"much\", must be a number");
}

#[test]
fn valid_arguments_are_passed_on_unchanged() {
    let sent = r#"{"query":"x", "page":2}"#;
    assert!(matches!(schema().checked(sent), Ok(std::borrow::Cow::Borrowed(text)) if text == sent));
}

#[test]
fn hostile_text_is_rejected_and_not_rewritten() {
    let deep = format!("{{\"query\":\"x\",\"places\":\"{}{}\"}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(schema().check(&deep).is_err());
    let open = format!("{{\"query\":\"x\",\"places\":\"{}\"}}", "[".repeat(100_000));
    assert!(schema().check(&open).is_err());
    let many = format!("{{\"query\":\"x\",\"places\":[{}]}}", vec!["\"{\\\"name\\\":\\\"y\\\"}\""; 20_000].join(","));
    assert!(schema().check(&many).is_ok());
}
