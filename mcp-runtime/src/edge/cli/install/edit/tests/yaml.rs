//! YAML.

use serde_json::json;

use super::Sample;

#[test]
fn gives_the_file_back_without_a_backup() {
    for file in [
        "GOOSE_MODEL: x\nextensions:\n  a:\n    cmd: b\n    enabled: true\n",
        "extensions:\n  a:\n    cmd: b\nGOOSE_MODEL: x\n",
        "# top\nextensions: # here\n  # about a\n  a: # aa\n    cmd: b # bb\n    # end of a\n\n# about model\nGOOSE_MODEL: x\n",
        "extensions:\r\n  a:\r\n    cmd: b\r\nm: x\r\n",
        "extensions:\n    a:\n        cmd: b\n",
        "extensions:\n  a:\n    cmd: b",
        "\u{feff}extensions:\n  a:\n    cmd: b\n",
        "extensions: {}\n",
        "extensions: {} # none\n",
        "extensions: {a: {cmd: b}}\n",
        "extensions: { a: {cmd: 'it''s'}, \"b\": \"}\\\"\" } # }\nm: x\n",
        "extensions: {\n  a: 1, # one }\n  b: 2,\n}\n",
        "---\nextensions:\n  a:\n    cmd: b\n...\n",
        "extensions:\n  a:\n    description: |\n      text\n      # more\n\nm: x\n",
        "\"extensions\":\n  \"a\":\n    args: [\"x\", 'y']\n",
        "'extensions':\n  'a':\n    args: []\n",
        "b: &b {x: 1}\nextensions:\n  a: *b\n",
        "extensions:\n  a:\n    args:\n    - x\n    - y\n",
        "extensions:\n  a:\n    cmd: b\r\n    t: >-\n      folded\n      text\nm: x\n",
        "{\"extensions\": {\"a\": 1}, \"m\": 2}\n",
        "m: |\n  extensions:\n    a: 1\nextensions:\n  a: {x: 1}\n",
    ] {
        Sample::yaml().there_and_back(file);
    }
}

#[test]
fn gives_the_file_back_by_the_backup_if_the_mapping_is_missing() {
    for file in [
        "",
        "\n",
        "# nothing yet\n",
        "# nothing yet",
        "GOOSE_MODEL: x\n",
        "GOOSE_MODEL: x",
        "m: x\r\nn: y\r\n",
        "---\nm: x\n...\n",
        "extensions:\n",
        "extensions: # none\nm: x\n",
        "m: x\n\n# end\n",
        "m: |+\n  text\n\n",
    ] {
        Sample::yaml().there_and_almost_back(file);
    }
}

#[test]
fn writes_strings_in_quotes() {
    assert_eq!(
        Sample::yaml().inserted("extensions:\n    a:\n        cmd: b\n"),
        "extensions:\n    a:\n        cmd: b\n    ours:\n        cmd: \"/opt/a b\"\n        args: [\"yes\", \"1\", \"a: b #\", \
         \"\\u007f\"]\n        enabled: true\n        envs:\n            \"on\": \"on\"\n"
    );
    assert_eq!(
        Sample::yaml().inserted("extensions: {}"),
        "extensions: {\"ours\": {\"cmd\": \"/opt/a b\", \"args\": [\"yes\", \"1\", \"a: b #\", \"\\u007f\"], \
         \"enabled\": true, \"envs\": {\"on\": \"on\"}}}"
    );
}

#[test]
fn removes_a_member_wherever_it_is() {
    for (file, without) in [
        ("extensions:\n  ours:\n    cmd: x\n    # end\n  # about a\n  a: 1\n", "extensions:\n  # about a\n  a: 1\n"),
        ("extensions:\n  ours:\n    cmd: x\n", "extensions: {}\n"),
        ("extensions: # c\n  ours: 1\nm: x\n", "extensions: {} # c\nm: x\n"),
        ("extensions: {ours: 1, a: 2}\n", "extensions: {a: 2}\n"),
        ("extensions: {a: 2, ours: 1, b: 3}\n", "extensions: {a: 2, b: 3}\n"),
        ("extensions: { ours: 1 }\n", "extensions: {  }\n"),
    ] {
        assert_eq!(Sample::yaml().remove(file, None), Ok(Some(without.to_owned())), "{file}");
    }
}

#[test]
fn replaces_a_member_where_it_is() {
    let sample = Sample { value: json!({ "new": 1 }), ..Sample::yaml() };
    for (file, with) in [
        (
            "extensions:\n    ours:\n        old: 1\n    # about a\n    a: 1\nm: x\n",
            "extensions:\n    ours:\n        new: 1\n    # about a\n    a: 1\nm: x\n",
        ),
        ("extensions:\n  ours: {}", "extensions:\n  ours:\n    new: 1"),
        ("extensions: {ours: {old: 1} , a: 1}\n", "extensions: {\"ours\": {\"new\": 1} , a: 1}\n"),
    ] {
        assert_eq!(sample.insert(file).as_deref(), Ok(with));
    }
}
