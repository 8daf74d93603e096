//! Checks the exact messages for models.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::check_as_sent;
use crate::wire::schema::InputSchema;

/// Returns the lines for these arguments, or `fits`.
fn read(schema: &InputSchema, arguments: &Value) -> String {
    let checked = check_as_sent(schema, &arguments.to_string());
    checked.map_or_else(|violations| violations.to_string(), |()| "fits".to_owned())
}

#[track_caller]
fn assert_texts(schema: Value, cases: &[(Value, &str)]) {
    let schema = InputSchema::new(schema).expect("a good schema");
    let (mut given, mut wanted) = (String::new(), String::new());
    for (arguments, text) in cases {
        let _ = writeln!(given, "{arguments}\n{}\n", read(&schema, arguments));
        let _ = writeln!(wanted, "{arguments}\n{text}\n");
    }
    assert!(given == wanted, "given:\n\n{given}\nwanted:\n\n{wanted}");
}

fn properties(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

#[test]
fn numbers() {
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": 50, "description": "How many results to return." });
    let price = json!({ "type": "number", "exclusiveMinimum": 0, "multipleOf": 0.01 });
    assert_texts(
        properties(&json!({ "limit": limit, "price": price, "id": { "type": "integer", "format": "uint64" } })),
        &[
            (json!({ "limit": 50, "price": 19.99, "id": 18446744073709551615u64 }), "fits"),
            (json!({ "limit": 0 }), "- `limit`: got 0, must be between 1 and 50 (How many results to return)"),
            (
                json!({ "limit": 1.5 }),
                "- `limit`: got 1.5, must be an integer between 1 and 50 (How many results to return)",
            ),
            (
                json!({ "limit": "10" }),
                "- `limit`: got \"10\", must be an integer between 1 and 50; write it without the quotes \
                 (How many results to return)",
            ),
            (
                json!({ "price": 0, "id": -1 }),
                "- `price`: got 0, must be greater than 0\n\
                 - `id`: got -1, must be between 0 and 18446744073709551615",
            ),
            (json!({ "price": 0.005 }), "- `price`: got 0.005, must be a multiple of 0.01"),
            (json!({ "id": null }), "- `id`: got null, must be an integer of at least 0"),
        ],
    );
}

#[test]
fn names() {
    let destination = json!({ "type": "string", "description": "IATA code of the destination. Three letters." });
    let schema = json!({
        "type": "object",
        "properties": { "destination": destination, "limit": { "type": "integer" } },
        "required": ["destination"],
        "additionalProperties": false,
    });
    assert_texts(
        schema.clone(),
        &[
            (json!({ "destination": "HND" }), "fits"),
            (json!({}), "- `destination`: missing; a string is required (IATA code of the destination)"),
            (
                json!({ "dest": "HND" }),
                "- `dest`: unknown; did you mean `destination`?\n\
                 - `destination`: missing; a string is required (IATA code of the destination)",
            ),
            (
                json!({ "destination": "HND", "color": 1 }),
                "- `color`: unknown; the known names are `destination` and `limit`",
            ),
            (json!([]), "- the arguments: got [], must be an object with `destination`"),
        ],
    );
    let mut open = schema;
    open["additionalProperties"] = json!(true);
    assert_texts(
        open,
        &[(
            json!({ "Destination": "HND" }),
            "- `destination`: missing; a string is required; did you write it as `Destination`? (IATA code of the destination)",
        )],
    );
    assert_texts(
        json!({ "type": "object", "additionalProperties": false }),
        &[(json!({ "a": 1 }), "- `a`: unknown; no properties are allowed here")],
    );
    let digits = json!({ "type": "object", "patternProperties": { r"^\d+$": {} }, "additionalProperties": false });
    assert_texts(
        properties(&json!({ "seats": digits })),
        &[(json!({ "seats": { "A": 1 } }), "- `seats.A`: unknown; each key must be a whole number")],
    );
}

#[test]
fn strings() {
    assert_texts(
        properties(&json!({
            "code": { "type": "string", "minLength": 3, "maxLength": 3 },
            "note": { "type": ["string", "null"], "maxLength": 5, "description": "" },
            "cabin": { "type": "string", "enum": ["economy", "premium_economy", "business"], "description": "Cabin class" },
            "kind": { "const": "flight" },
            "mail": { "type": "string", "format": "email" },
            "day": { "type": "string", "format": "date" },
        })),
        &[
            (json!({ "code": "ÄÖÜ", "note": null, "cabin": "business", "kind": "flight" }), "fits"),
            (
                json!({ "code": "HN", "note": "long, long text" }),
                "- `code`: got \"HN\" (2 characters), must have exactly 3 characters\n\
                 - `note`: got \"long, long text\" (15 characters), must have at most 5 characters",
            ),
            (json!({ "note": 5 }), "- `note`: got 5, must be a string of at most 5 characters or null"),
            (
                json!({ "cabin": "Premium Economy" }),
                "- `cabin`: got \"Premium Economy\", must be one of \"economy\", \"premium_economy\", \"business\"; \
                 did you mean \"premium_economy\"? (Cabin class)",
            ),
            (
                json!({ "cabin": "cargo", "kind": "hotel" }),
                "- `cabin`: got \"cargo\", must be one of \"economy\", \"premium_economy\", \"business\" (Cabin class)\n\
                 - `kind`: got \"hotel\", must be \"flight\"",
            ),
            (
                json!({ "mail": "me", "day": "2026-02-29" }),
                "- `mail`: got \"me\", must be an email address\n\
                 - `day`: got \"2026-02-29\", must be a date such as 2026-01-31",
            ),
        ],
    );
}

#[test]
fn places() {
    let range = json!({
        "type": "object",
        "properties": { "from": { "type": "string", "format": "date", "description": "First day" } },
        "required": ["from"],
    });
    let dates = json!({ "type": "array", "items": range, "minItems": 1, "maxItems": 4, "description": "When" });
    let filters = json!({ "type": "object", "properties": { "dates": dates } });
    let tags = json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true });
    let headers = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    assert_texts(
        properties(&json!({ "filters": filters, "tags": tags, "headers": headers })),
        &[
            (
                json!({ "filters": { "dates": [{ "from": "2026-01-01" }, {}, { "from": "soon" }] } }),
                "- `filters.dates[1].from`: missing; a date such as 2026-01-31 is required (First day)\n\
                 - `filters.dates[2].from`: got \"soon\", must be a date such as 2026-01-31 (First day)",
            ),
            (
                json!({ "filters": { "dates": [] }, "tags": ["a", "b", "a"] }),
                "- `filters.dates`: got [] (0 items), must have between 1 and 4 items (When)\n\
                 - `tags`: got \"a\" twice (items 0 and 2), items must differ",
            ),
            (json!({ "headers": { "X Y": 1 } }), "- `headers[\"X Y\"]`: got 1, must be a string"),
            (
                json!({ "tags": "[\"a\"]" }),
                "- `tags`: got \"[\\\"a\\\"]\", must be an array of strings; write it without the quotes",
            ),
            (json!({ "tags": "a" }), "- `tags`: got \"a\", must be an array of strings"),
        ],
    );
}

#[test]
fn unions() {
    let circle = json!({
        "type": "object",
        "properties": { "kind": { "const": "circle" }, "radius": { "type": "number", "minimum": 0 } },
        "required": ["kind", "radius"],
    });
    let square = json!({
        "type": "object",
        "properties": { "kind": { "const": "square" }, "side": { "type": "number" } },
        "required": ["kind", "side"],
    });
    let level = json!({ "oneOf": [
        { "type": "string", "enum": ["quiet"] },
        { "type": "object", "properties": { "Custom": { "type": "integer" } }, "required": ["Custom"], "additionalProperties": false },
        { "type": "object", "properties": { "Named": { "type": "string" } }, "required": ["Named"], "additionalProperties": false },
    ] });
    let mode = json!({ "oneOf": [{ "const": "fast", "description": "Quick." }, { "const": "thorough" }], "description": "How to search" });
    let maybe = json!({ "anyOf": [circle.clone(), { "type": "null" }] });
    let either = json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] });
    assert_texts(
        properties(&json!({
            "shape": { "oneOf": [circle, square] }, "level": level, "mode": mode, "maybe": maybe, "either": either,
        })),
        &[
            (
                json!({ "shape": { "kind": "square", "side": 1 }, "level": "quiet", "mode": "fast", "maybe": null }),
                "fits",
            ),
            (
                json!({ "shape": { "kind": "circle", "side": 1 } }),
                "- `shape.radius`: missing; a number of at least 0 is required",
            ),
            (
                json!({ "shape": { "kind": "circel", "radius": 1 } }),
                "- `shape.kind`: got \"circel\", must be one of \"circle\", \"square\"; did you mean \"circle\"?",
            ),
            (json!({ "shape": { "radius": 1 } }), "- `shape.kind`: missing; one of \"circle\", \"square\" is required"),
            (
                json!({ "shape": 5 }),
                "- `shape`: got 5, must be an object with `kind` and `radius`, or an object with `kind` and `side`",
            ),
            (json!({ "level": { "Custom": "x" } }), "- `level.Custom`: got \"x\", must be an integer"),
            (
                json!({ "level": { "custom": 1 } }),
                "- `level`: got {\"custom\":1}, must be an object with one of the keys `Custom` or `Named`; did you mean `Custom`?",
            ),
            (
                json!({ "level": "loud" }),
                "- `level`: got \"loud\", must be \"quiet\", an object with `Custom`, or an object with `Named`",
            ),
            (
                json!({ "mode": "Fast" }),
                "- `mode`: got \"Fast\", must be one of \"fast\", \"thorough\"; did you mean \"fast\"? (How to search)",
            ),
            (json!({ "maybe": { "kind": "circle" } }), "- `maybe.radius`: missing; a number of at least 0 is required"),
            (json!({ "either": 5 }), "- `either`: got 5, must be a string or an array of strings"),
            (json!({ "either": ["a", 5] }), "- `either[1]`: got 5, must be a string"),
        ],
    );
}

#[test]
fn rare_keywords() {
    let payment = json!({
        "type": "object",
        "properties": { "card": { "type": "string" }, "billing": { "type": "string", "description": "Billing address" } },
        "dependentRequired": { "card": ["billing"] },
        "minProperties": 1,
    });
    let conditional = json!({
        "type": "object",
        "properties": { "kind": { "type": "string" }, "url": { "type": "string" } },
        "if": { "properties": { "kind": { "const": "web" } }, "required": ["kind"] },
        "then": { "required": ["url"] },
    });
    assert_texts(
        properties(&json!({
            "delta": { "type": "integer", "not": { "const": 0 }, "description": "How far to move" },
            "word": { "not": { "minLength": 3 } },
            "payment": payment,
            "target": conditional,
            "labels": { "type": "object", "propertyNames": { "maxLength": 3 } },
            "tags": { "contains": { "type": "string" }, "minContains": 2 },
            "one": { "oneOf": [{ "multipleOf": 2 }, { "multipleOf": 3 }] },
            "never": false,
            "size": { "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "string" }], "minItems": 2, "maxItems": 2 },
            "anything": { "type": ["object", "array", "boolean", "null"] },
        })),
        &[
            (json!({ "delta": 0 }), "- `delta`: got 0, must not be 0 (How far to move)"),
            (json!({ "word": "abc" }), "- `word`: got \"abc\", which is not allowed"),
            (
                json!({ "payment": { "card": "4111" } }),
                "- `payment.billing`: missing; required if `card` is given (Billing address)",
            ),
            (json!({ "payment": {} }), "- `payment`: got {} (0 properties), must have at least 1 property"),
            (json!({ "target": { "kind": "web" } }), "- `target.url`: missing; required"),
            (
                json!({ "labels": { "much_too_long": 1 } }),
                "- `labels`: got the key \"much_too_long\", each key must be a string of at most 3 characters",
            ),
            (json!({ "tags": ["a", 1] }), "- `tags`: got 1 item that is a string, must have at least 2"),
            (json!({ "one": 6 }), "- `one`: got 6, must fit exactly one of the alternatives, but fits 2"),
            (
                json!({ "one": 5 }),
                "- `one`: got 5, must be a number that is a multiple of 2 or a number that is a multiple of 3",
            ),
            (json!({ "never": 1 }), "- `never`: not allowed here"),
            (json!({ "size": [1] }), "- `size`: got [1] (1 item), must have exactly 2 items"),
            (json!({ "size": [1, 2] }), "- `size[1]`: got 2, must be a string"),
            (json!({ "size": "1x2" }), "- `size`: got \"1x2\", must be an array of exactly 2 items"),
            (json!({ "anything": 1 }), "- `anything`: got 1, must be a boolean, an array, an object or null"),
        ],
    );
}

#[test]
fn ends_a_long_list_with_a_count() {
    let schema =
        InputSchema::new(json!({ "type": "object", "additionalProperties": { "type": "string" } })).expect("good");
    let arguments: serde_json::Map<String, Value> = (0..17).map(|at| (format!("k{at}"), json!(at))).collect();
    let text = read(&schema, &Value::Object(arguments));
    assert_eq!(text.lines().count(), 11);
    assert!(text.ends_with("- `k9`: got 9, must be a string\n- and 7 more"), "{text}");
}

#[test]
fn reports_invalid_json() {
    let schema = InputSchema::new(json!({ "type": "object" })).expect("good");
    let error = schema.check("{").expect_err("cut off").to_string();
    assert_eq!(error, "- the arguments: not valid JSON: EOF while parsing an object");
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let error = schema.check(&format!("{{\"a\":{deep}}}")).expect_err("deep").to_string();
    assert!(error.contains("recursion limit exceeded"), "{error}");
}
