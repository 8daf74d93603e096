//! Checks valid and invalid values for every keyword.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::check_as_sent;
use crate::wire::schema::InputSchema;

/// Checks values as the property `v`.
#[track_caller]
fn assert_keyword(schema: &Value, fitting: &[Value], failing: &[Value]) {
    let root = json!({ "type": "object", "properties": { "v": schema } });
    let compiled = InputSchema::new(root.clone()).expect("a good schema");
    for value in fitting {
        let verdict = check_as_sent(&compiled, &json!({ "v": value }).to_string());
        assert!(verdict.is_ok(), "{value} should fit {root}: {}", verdict.unwrap_err());
    }
    for value in failing {
        assert!(check_as_sent(&compiled, &json!({ "v": value }).to_string()).is_err(), "{value} should fail {root}");
    }
}

#[test]
fn types() {
    assert_keyword(&json!({ "type": "integer" }), &[json!(1), json!(1.0), json!(1e300)], &[json!(1.5), json!("1")]);
    assert_keyword(&json!({ "type": "number" }), &[json!(1), json!(1.5)], &[json!("1"), json!(null)]);
    assert_keyword(&json!({ "type": ["string", "null"] }), &[json!("a"), json!(null)], &[json!(1)]);
    assert_keyword(&json!({ "type": "boolean" }), &[json!(false)], &[json!(0)]);
    assert_keyword(&json!({ "type": "array" }), &[json!([])], &[json!({})]);
    assert_keyword(&json!({ "type": "object" }), &[json!({})], &[json!([])]);
    assert_keyword(&json!(true), &[json!(1), json!(null)], &[]);
    assert_keyword(&json!(false), &[], &[json!(1), json!(null)]);
}

#[test]
fn fixed_values() {
    assert_keyword(
        &json!({ "enum": ["a", 1, null] }),
        &[json!("a"), json!(1.0), json!(null)],
        &[json!("b"), json!(false)],
    );
    assert_keyword(
        &json!({ "const": { "a": [1, 2] } }),
        &[json!({ "a": [1, 2.0] })],
        &[json!({ "a": [2, 1] }), json!({})],
    );
    assert_keyword(&json!({ "const": 1, "enum": [1, 2] }), &[json!(1)], &[json!(2)]);
    assert_keyword(&json!({ "const": 3, "enum": [1, 2] }), &[], &[json!(1), json!(3)]);
}

#[test]
fn numbers() {
    assert_keyword(
        &json!({ "minimum": 1, "maximum": 2.5 }),
        &[json!(1), json!(2.5), json!("0")],
        &[json!(0.9), json!(3)],
    );
    assert_keyword(&json!({ "exclusiveMinimum": 1, "minimum": 1 }), &[json!(1.01)], &[json!(1), json!(0)]);
    assert_keyword(&json!({ "exclusiveMaximum": 1, "maximum": 2 }), &[json!(0.99)], &[json!(1), json!(2)]);
    assert_keyword(&json!({ "multipleOf": 0.1 }), &[json!(0.3), json!(4)], &[json!(0.35)]);
    let large = json!({ "minimum": 9007199254740993u64 });
    assert_keyword(&large, &[json!(9007199254740993u64)], &[json!(9007199254740992u64)]);
    let unsigned = json!({ "type": "integer", "format": "uint64" });
    assert_keyword(&unsigned, &[json!(u64::MAX)], &[json!(-1), json!(18446744073709551616.0)]);
    assert_keyword(&json!({ "type": "integer", "format": "int8" }), &[json!(-128)], &[json!(128)]);
}

#[test]
fn strings() {
    assert_keyword(
        &json!({ "minLength": 2, "maxLength": 3 }),
        &[json!("äö"), json!("😀😀😀"), json!(1)],
        &[json!("a"), json!("abcd")],
    );
    assert_keyword(&json!({ "format": "date" }), &[json!("2026-01-31"), json!(5)], &[json!("31.1.2026")]);
    // An unknown format only describes the value.
    assert_keyword(&json!({ "format": "partial-time" }), &[json!("anything")], &[]);
}

#[test]
fn arrays() {
    assert_keyword(&json!({ "items": { "type": "string" } }), &[json!(["a"]), json!([])], &[json!(["a", 1])]);
    let tuple = json!({ "prefixItems": [{ "type": "string" }], "items": false });
    assert_keyword(&tuple, &[json!(["a"]), json!([])], &[json!(["a", 1]), json!([1])]);
    assert_keyword(&json!({ "minItems": 1, "maxItems": 2 }), &[json!([1]), json!("")], &[json!([]), json!([1, 2, 3])]);
    assert_keyword(
        &json!({ "uniqueItems": true }),
        &[json!([1, "1", true])],
        &[json!([1, 1.0]), json!([{ "a": 1, "b": 2 }, { "b": 2, "a": 1 }])],
    );
    let many: Vec<Value> = (0..100).map(|at| json!({ "at": at, "name": "x" })).collect();
    let mut twice = many.clone();
    twice.push(json!({ "name": "x", "at": 7.0 }));
    assert_keyword(&json!({ "uniqueItems": true }), &[json!(many)], &[json!(twice)]);
    assert_keyword(&json!({ "contains": { "const": 1 } }), &[json!([0, 1])], &[json!([0]), json!([])]);
    let counted = json!({ "contains": { "const": 1 }, "minContains": 0, "maxContains": 1 });
    assert_keyword(&counted, &[json!([]), json!([1])], &[json!([1, 1])]);
}

#[test]
fn objects() {
    assert_keyword(&json!({ "required": ["a"] }), &[json!({ "a": null }), json!([])], &[json!({})]);
    assert_keyword(
        &json!({ "properties": { "a": { "type": "string" } } }),
        &[json!({ "a": "", "b": 1 })],
        &[json!({ "a": 1 })],
    );
    let closed = json!({ "properties": { "a": true }, "additionalProperties": false });
    assert_keyword(&closed, &[json!({ "a": 1 })], &[json!({ "b": 1 })]);
    // `required` alone declares no property.
    assert_keyword(&json!({ "required": ["a"], "additionalProperties": false }), &[], &[json!({}), json!({ "a": 1 })]);
    assert_keyword(
        &json!({ "additionalProperties": { "type": "string" } }),
        &[json!({ "a": "" })],
        &[json!({ "a": 1 })],
    );
    let digits = json!({ "patternProperties": { r"^\d+$": { "type": "string" } }, "additionalProperties": false });
    assert_keyword(&digits, &[json!({ "12": "a" })], &[json!({ "12": 1 }), json!({ "-1": "a" }), json!({ "": "a" })]);
    assert_keyword(
        &json!({ "minProperties": 1, "maxProperties": 1 }),
        &[json!({ "a": 1 })],
        &[json!({}), json!({ "a": 1, "b": 2 })],
    );
    assert_keyword(&json!({ "propertyNames": { "maxLength": 1 } }), &[json!({ "a": 1 })], &[json!({ "ab": 1 })]);
    assert_keyword(
        &json!({ "dependentRequired": { "a": ["b"] } }),
        &[json!({ "b": 1 }), json!({ "a": 1, "b": 1 })],
        &[json!({ "a": 1 })],
    );
    let dependent = json!({ "dependentSchemas": { "a": { "required": ["b"] } } });
    assert_keyword(&dependent, &[json!({}), json!({ "a": 1, "b": 1 })], &[json!({ "a": 1 })]);
    let many: serde_json::Map<_, _> = (0..40).map(|at| (format!("p{at}"), json!({ "type": "integer" }))).collect();
    let many = json!({ "properties": many, "required": ["p39"], "additionalProperties": false });
    assert_keyword(
        &many,
        &[json!({ "p39": 1, "p0": 1 })],
        &[json!({ "p39": "a" }), json!({ "p0": 1 }), json!({ "p39": 1, "q": 1 })],
    );
}

#[test]
fn logic() {
    let small = json!({ "maximum": 5 });
    let even = json!({ "multipleOf": 2 });
    assert_keyword(&json!({ "allOf": [small, even] }), &[json!(4)], &[json!(3), json!(6)]);
    assert_keyword(&json!({ "anyOf": [small, even] }), &[json!(4), json!(3), json!(6)], &[json!(7)]);
    assert_keyword(&json!({ "oneOf": [small, even] }), &[json!(3), json!(6)], &[json!(4), json!(7)]);
    assert_keyword(&json!({ "not": even }), &[json!(3)], &[json!(4)]);
    let conditional = json!({ "if": even, "then": { "maximum": 10 }, "else": { "maximum": 3 } });
    assert_keyword(&conditional, &[json!(10), json!(3)], &[json!(12), json!(5)]);
    assert_keyword(&json!({ "if": even }), &[json!(1), json!(2)], &[]);
}

#[test]
fn references() {
    let schema = json!({
        "type": "object",
        "properties": { "list": { "$ref": "#/$defs/list" }, "self": { "$ref": "#" } },
        "$defs": {
            "list": { "type": ["object", "null"], "properties": { "next": { "$ref": "#/$defs/list" } }, "required": ["next"] },
        },
    });
    let schema = InputSchema::new(schema).expect("good");
    assert!(schema.check(r#"{"list":{"next":{"next":null}},"self":{"self":{"list":null}}}"#).is_ok());
    let error =
        schema.check(r#"{"list":{"next":{"next":1}},"self":{"self":{"list":{}}}}"#).expect_err("wrong").to_string();
    assert_eq!(
        error,
        "- `list.next.next`: got 1, must be an object with `next`, or null\n\
         - `self.self.list.next`: missing; an object with `next`, or null is required",
    );
}

#[test]
fn checks_deep_arguments_in_bounded_time() {
    // Each level doubles the number of ways to read the next one.
    let tree = json!({ "anyOf": [
        { "type": "object", "properties": { "next": { "$ref": "#/$defs/tree" } }, "required": ["next"] },
        { "type": "object", "properties": { "next": { "$ref": "#/$defs/tree" } }, "required": ["next", "name"] },
        { "type": "string" },
    ] });
    let schema =
        json!({ "type": "object", "properties": { "v": { "$ref": "#/$defs/tree" } }, "$defs": { "tree": tree } });
    let schema = InputSchema::new(schema).expect("good");
    let nested = |leaf: &str| format!("{{\"v\":{}{leaf}{}}}", "{\"next\":".repeat(120), "}".repeat(120));
    assert!(schema.check(&nested("\"leaf\"")).is_ok());
    let time = processor_time_of(|| assert!(schema.check(&nested("1")).is_err()));
    assert!(time < Duration::from_secs(5), "{time:?}");
}

#[test]
fn explains_errors_in_deeply_nested_alternatives() {
    let kind = |name: &str| {
        json!({
            "type": "object",
            "properties": { "kind": { "const": name }, "child": { "$ref": "#/$defs/node" } },
            "required": ["kind"],
        })
    };
    let node = json!({ "oneOf": [kind("a"), kind("b"), kind("c")] });
    let schema =
        json!({ "type": "object", "properties": { "v": { "$ref": "#/$defs/node" } }, "$defs": { "node": node } });
    let schema = InputSchema::new(schema).expect("good");
    let nested = |leaf: &str| {
        format!("{{\"v\":{}{{\"kind\":\"{leaf}\"}}{}}}", "{\"kind\":\"c\",\"child\":".repeat(40), "}".repeat(40))
    };
    assert!(schema.check(&nested("b")).is_ok());
    let error = schema.check(&nested("x")).expect_err("wrong").to_string();
    assert_eq!(error, format!("- `v{}.kind`: got \"x\", must be one of \"a\", \"b\", \"c\"", ".child".repeat(40)));
}

#[test]
fn checks_wide_arguments_in_linear_time() {
    let wide = |value: &str| {
        let members: String = (0..20_000).map(|at| format!("\"k{at}\":{at},")).collect();
        format!("{{{members}\"z\":{value}}}")
    };
    let schema = json!({
        "type": "object",
        "properties": { "v": { "type": "array", "uniqueItems": true } },
        "required": ["abc", "abd", "abe"],
    });
    let schema = InputSchema::new(schema).expect("good");
    let two = |second: &str| format!("{{\"v\":[{},{}],\"abc\":1,\"abd\":1,\"abe\":1}}", wide("1"), wide(second));
    let time = processor_time_of(|| {
        assert!(schema.check(&two("2")).is_ok());
        assert!(schema.check(&two("1")).is_err());
        assert!(schema.check(&wide("1")).is_err());
    });
    assert!(time < Duration::from_secs(5), "{time:?}");
}

/// Returns how long a processor worked for this on Linux, which hardly depends on other work of the machine. Elsewhere it
/// returns how long it took.
fn processor_time_of(check: impl FnOnce()) -> Duration {
    let of_thread = || {
        let figures = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        figures.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    let (since, started) = (of_thread(), Instant::now());
    check();
    match (since, of_thread()) {
        (Some(since), Some(now)) => now - since,
        _ => started.elapsed(),
    }
}
