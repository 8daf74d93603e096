//! Files that cannot be edited.

use serde_json::json;

use super::{FileFormat, Sample};

/// Returns the errors of both edits.
fn errors(sample: &Sample, file: &str) -> [String; 2] {
    let inserted = sample.insert(file);
    let removed = sample.remove(file, None);
    [inserted.expect_err(file), removed.expect_err(file)]
}

#[test]
fn a_broken_file_is_rejected() {
    for (sample, files) in [
        (
            Sample::json(),
            &["{\"mcpServers\": {", "{'mcpServers': {}}", "{} {}", "{\"a\": 1 \"b\": 2}", "{a: 1}", "{\"a\": +1}", "["]
                [..],
        ),
        (Sample::toml(), &["a = ", "a = 1\na = 2\n", "[a]\n[a]\n", "[a", "a = 'x", "=1"]),
        (
            Sample::yaml(),
            &[
                "extensions: [",
                "extensions:\n\ta: 1\n",
                "a: 1\na: 2\n",
                "---\na: 1\n---\nb: 1\n",
                "a: \"x\n",
                "a: b: c\n",
                "a: *x\n",
            ],
        ),
    ] {
        for file in files {
            errors(&sample, file);
        }
    }
}

#[test]
fn an_error_says_where_a_file_is_broken() {
    for (sample, file, line) in [
        (Sample::json(), "{\n  \"token\": \"s3cret\"\n  \"b\": 2\n}", "line 2"),
        (Sample::toml(), "token = 's3cret'\nb = \n", "line 2"),
        (Sample::yaml(), "token: s3cret\nb: [\n", "line 3"),
    ] {
        for error in errors(&sample, file) {
            assert!(error.contains(line) && !error.contains("s3cret"), "{error}");
        }
    }
}

#[test]
fn what_is_not_a_table_is_rejected() {
    for (sample, file, expected) in [
        (Sample::json(), "[]", "the top of the file is not an object with members"),
        (Sample::json(), "1", "the top of the file is not an object with members"),
        (Sample::json(), "{\"mcpServers\": []}", "`mcpServers` is not an object with members"),
        (Sample::json(), "{\"mcpServers\": null}", "`mcpServers` is not an object with members"),
        (Sample::json(), "{\"mcpServers\": {}, \"mcpServers\": {}}", "the key `mcpServers` is there twice"),
        (Sample::json(), "{\"mcpServers\": {\"ours\": 1, \"ours\": 1}}", "the key `ours` is there twice"),
        (Sample::toml(), "mcp_servers = 1\n", "`mcp_servers` is not an object with members"),
        (Sample::toml(), "[[mcp_servers]]\na = 1\n", "`mcp_servers` is not an object with members"),
        (Sample::yaml(), "- a\n", "the top of the file is not an object with members"),
        (Sample::yaml(), "extensions: 1\n", "`extensions` is not an object with members"),
        (Sample::yaml(), "extensions:\n- a\n", "`extensions` is not an object with members"),
        (Sample::yaml(), "x: &x {}\nextensions: *x\n", "`extensions` is not a mapping"),
    ] {
        assert_eq!(sample.insert(file), Err(expected.to_owned()), "{file}");
    }
}

#[test]
fn an_edit_that_would_change_more_than_its_value_is_rejected() {
    let by_hand = "the file is written in a way that cannot be edited in place; edit it by hand";
    for file in ["mcp_servers.ours.command = 'x'\n", "[mcp_servers]\nours.command = 'x'\n"] {
        assert_eq!(Sample::toml().remove(file, None), Err(by_hand.to_owned()), "{file}");
    }
    // The text block would get a line end.
    for file in ["--- {a: 1}\n", "extensions:\n  a: |\n    text"] {
        assert_eq!(Sample::yaml().insert(file), Err(by_hand.to_owned()), "{file}");
    }
}

#[test]
fn deep_and_long_files_are_no_problem() {
    for (format, file) in [
        (FileFormat::Json, "[".repeat(100_000)),
        (FileFormat::Json, format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000))),
        (FileFormat::Toml, format!("a = {}", "[".repeat(100_000))),
        (FileFormat::Yaml, format!("a: {}", "[".repeat(100_000))),
        (FileFormat::Yaml, format!("a: {}", "{b: ".repeat(100_000))),
    ] {
        let sample = Sample::all().into_iter().find(|sample| sample.format == format).unwrap();
        assert!(sample.insert(&file).is_err());
    }
    // Each line has ten times as many values as the one before.
    let aliases = |at: usize| format!("a{at}: &a{at} [{}]\n", vec![format!("*a{}", at - 1); 10].join(", "));
    let laughs = format!("a0: &a0 x\n{}", (1..12).map(aliases).collect::<String>());
    assert!(Sample::yaml().insert(&laughs).unwrap_err().contains("repetition limit exceeded"));
    let many: String = (0..5_000).map(|at| format!("  \"k{at}\": {{\"a\": 1}},\n")).collect();
    Sample::json().inserted(&format!("{{\n{many}  \"mcpServers\": {{}}\n}}\n"));
}

#[test]
fn a_later_change_of_another_program_stays() {
    for (sample, file, more) in [
        (Sample::json(), "{\n  \"mcpServers\": {\n    \"a\": 1\n  }\n}\n", "// later\n"),
        (Sample::toml(), "[mcp_servers.a]\ncommand = 'b'\n", "# later\n"),
        (Sample::yaml(), "extensions:\n  a:\n    cmd: b\n", "# later\n"),
    ] {
        let with = sample.inserted(file);
        assert_eq!(sample.remove(&format!("{more}{with}"), Some(file)), Ok(Some(format!("{more}{file}"))));
    }
}

#[test]
fn a_file_that_had_the_value_before_is_not_the_answer() {
    let sample = Sample::json();
    let before = sample.insert("{\"mcpServers\": {\"a\": 1}}").unwrap();
    let later = Sample { value: json!({ "command": "new" }), ..Sample::json() };
    let with = later.insert(&before).unwrap();
    assert_eq!(later.remove(&with, Some(&before)), Ok(Some("{\"mcpServers\": {\"a\": 1}}".to_owned())));
}
