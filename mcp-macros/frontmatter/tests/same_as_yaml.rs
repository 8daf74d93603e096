//! The frontmatter is what the npm package `yaml` 2.9.1 reads, or an error: never another value.

use mcp_frontmatter::{Frontmatter, Problem};
use serde_json::{Value, json};

/// Reads these fields after `name` and `description`.
fn read(fields: &str) -> Result<Value, Problem> {
    let file = format!("---\nname: a\ndescription: b\n{fields}\n---\n");
    let frontmatter = Frontmatter::of_skill(file.as_bytes(), "a")?;
    Ok(serde_json::from_str(&frontmatter.json).unwrap())
}

fn problem(fields: &str) -> String {
    read(fields).expect_err(fields).to_string()
}

#[test]
fn reads_the_same_value_as_the_npm_package_or_none() {
    // Written by the npm package: the text, and the value or the error.
    let cases: Vec<Value> = serde_json::from_str(include_str!("cases.json")).unwrap();
    let mut same = 0;
    for case in &cases {
        // The fields are those of a nested object, as `name` and `description` stand before them.
        let text = case["yaml"].as_str().unwrap();
        let nested: String = text.lines().map(|line| format!("  {line}\n")).collect();
        let Ok(mut found) = read(&format!("nested:\n{nested}")) else { continue };
        let found = found["nested"].take();
        assert!(case.get("error").is_none(), "{text} is read as {found}");
        assert!(equal(&found, &case["json"]), "{text} is read as {found} instead of {}", case["json"]);
        same += 1;
    }
    assert!(same >= 18, "only {same} of {} are read", cases.len());
}

/// Compares as JavaScript does, which has one type of numbers.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len() && one.iter().all(|(key, value)| other.get(key).is_some_and(|it| equal(value, it)))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        _ => one == other,
    }
}

#[test]
fn keeps_the_order_and_every_field() {
    let file =
        "---\nversion: 1.10\nname: a\ntags: [x, y]\ndescription: >-\n  two\n  lines\nmetadata:\n  on: yes\n---\n";
    let frontmatter = Frontmatter::of_skill(file.as_bytes(), "a").unwrap();
    let expected = r#"{"version":1.1,"name":"a","tags":["x","y"],"description":"two lines","metadata":{"on":"yes"}}"#;
    assert_eq!(frontmatter.json, expected);
    assert_eq!(frontmatter.description, "two lines");
}

#[test]
fn writes_text_that_json_can_read() {
    let text = r#"x: "\" \\ \t \n \x01 é\u2028""#;
    assert_eq!(read(text).unwrap()["x"], "\" \\ \t \n \u{1} é\u{2028}");
}

#[test]
fn refuses_what_parsers_read_differently() {
    for (fields, reason) in [
        ("x: &a 1\ny: *a", "line 4: an anchor or a tag is not allowed"),
        ("x: !!str 1", "line 4: an anchor or a tag is not allowed"),
        ("name: c", "line 4: `name` is written twice"),
        ("x: .inf", "line 4: JSON has no number `.inf`"),
        ("x: 1e999", "line 4: JSON has no number `1e999`"),
        ("x: 0xFFFFFFFFFFFFFFFFFF", "line 4: JSON has no number"),
        ("1.0: x", "line 4: the key `1.0` is not text"),
        ("~: x", "line 4: the key `~` is not text"),
        ("? [a, b]\n: x", "line 4: a key must be text"),
        ("x: 1\n...\ny: 2", "line 6: the frontmatter must be one document"),
        ("x: a\rb: 1", "line 4: a carriage return must be followed by a line feed"),
        ("x: a: b", "line 4: the YAML is invalid: "),
        ("ok: 1\nx: [", "the YAML is invalid: "),
    ] {
        let problem = problem(fields);
        assert!(problem.contains(reason), "{fields}: {problem}");
    }
    let deep = format!("x: {}{}", "[".repeat(64), "]".repeat(64));
    assert!(problem(&deep).contains("nested more than 64 deep"));
}

#[test]
fn numbers_as_keys_are_text_if_they_are_written_as_javascript_writes_them() {
    assert_eq!(read("x: {1: a, true: b}").unwrap()["x"], json!({ "1": "a", "true": "b" }));
}
