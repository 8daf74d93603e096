//! JSON, with and without comments.

use serde_json::json;

use super::{FileFormat, Sample, ValueSlot};

#[test]
fn gives_the_file_back_without_a_backup() {
    for file in [
        "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"b\"\n    }\n  }\n}\n",
        "{\r\n  \"mcpServers\": {\r\n    \"a\": {\r\n      \"command\": \"b\"\r\n    }\r\n  }\r\n}\r\n",
        "{\n\t\"mcpServers\": {\n\t\t\"a\": {\n\t\t\t\"command\": \"b\"\n\t\t}\n\t}\n}",
        "\u{feff}{\n  \"mcpServers\": {\n    \"a\": 1\n  }\n}\n",
        "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"a\": 1\r\n  }\r\n}",
        "// top\n{\n  // before\n  \"mcpServers\": { // here\n    \"a\": 1 // after a\n    // end\n  } /* x */\n}\n// last\n",
        "// top\r\n{\r\n  \"mcpServers\": {\r\n    \"a\": 1 // after a\r\n    // end\r\n  }\r\n}\r\n",
        "{\n  \"mcpServers\": {\n    \"a\": 1, // after a\n    // \"b\": 2,\n  },\n}\n",
        "{\n  \"mcpServers\": {\n    \"a\": 1 /* after a */ , /* more */\n  },\n}\n",
        "{\n  \"x\": 1,\n  \"mcpServers\": {}\n}\n",
        "{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n",
        "{\r\n  \"mcpServers\": {\r\n    // none yet\r\n  }\r\n}\r\n",
        "{ \"mcpServers\": { /* none yet */ } }",
        "{\n    \"x\": [1, 2],\n    \"mcpServers\": {\n        \"a\": 1\n    },\n    \"y\":   2\n}\n",
        "{\r\n  \"x\": 1,\n  \"mcpServers\": {\r\n    \"a\": 1\n  }\r\n}\r\n",
        "{\n  \"n\": 1.50e3, \"s\": \"\\u00fc\\/\", \"big\": 12345678901234567890123,\n  \"mcpServers\": {\n    \"a\": 1\n  }\n}\n",
        "{\"mcpServers\": {\"a\": {\"command\": \"b\"}}}\n",
        "{\"mcpServers\":{\"a\":1,},}",
        "{ \"mcpServers\": { \"a\": 1 } }",
        "{\"mcpServers\": {}}",
        "{\"mcpServers\": {\"a\": {\n  \"command\": \"b\"\n}}}\n",
        "{\n  \"mcpServers\": {\n    \"a\": 1}}\n",
        "{\n  \"mcpServers\": {\"a\": 1 // one line\n  }\n}\n",
        "{\"mcpServers\": {\"ou\\u0072\": 1}}",
    ] {
        Sample::json().there_and_back(file);
    }
}

#[test]
fn gives_the_file_back_by_the_backup_if_the_table_is_missing() {
    for file in [
        "",
        "\n",
        "  ",
        "\u{feff}",
        "{}",
        "{\n}\n",
        "// only a comment",
        "/* a */\r\n",
        "{\n  \"x\": 1\n}\n",
        "{\r\n\t\"x\": 1,\r\n}\r\n",
        "{\"x\": 1}",
        "{\n  \"mcpServers\": {\n  }\n}\n",
        "{ // none\n}",
    ] {
        Sample::json().there_and_almost_back(file);
    }
}

#[test]
fn follows_the_layout_of_the_file() {
    let sample = Sample { value: json!({ "command": "/x", "args": ["a"] }), ..Sample::json() };
    assert_eq!(
        sample.inserted("{\n\t\"mcpServers\": {\n\t\t\"a\": 1, // one\n\t\t// end\n\t},\n}\n"),
        "{\n\t\"mcpServers\": {\n\t\t\"a\": 1, // one\n\t\t\"ours\": {\n\t\t\t\"command\": \"/x\",\n\t\t\t\"args\": [\n\
         \t\t\t\t\"a\"\n\t\t\t]\n\t\t},\n\t\t// end\n\t},\n}\n"
    );
    assert_eq!(
        sample.inserted("{\"mcpServers\": {\"a\": 1}}"),
        "{\"mcpServers\": {\"a\": 1, \"ours\": {\"command\": \"/x\", \"args\": [\"a\"]}}}"
    );
    assert_eq!(
        sample.inserted("{\r\n    \"x\": 1 // one\r\n}\r\n"),
        "{\r\n    \"x\": 1, // one\r\n    \"mcpServers\": {\r\n        \"ours\": {\r\n            \"command\": \"/x\",\r\n            \
         \"args\": [\r\n                \"a\"\r\n            ]\r\n        }\r\n    }\r\n}\r\n"
    );
    assert_eq!(
        sample.inserted(""),
        "{\n  \"mcpServers\": {\n    \"ours\": {\n      \"command\": \"/x\",\n      \"args\": [\n        \"a\"\n      ]\n    }\n  }\n}\n"
    );
}

#[test]
fn replaces_a_value_where_it_is() {
    let file = "{\n  \"mcpServers\": {\n    \"ours\": {\"old\": 1}, // ours\n    \"a\": 1\n  }\n}\n";
    let sample = Sample { value: json!({ "new": 2 }), ..Sample::json() };
    let with = "{\n  \"mcpServers\": {\n    \"ours\": {\n      \"new\": 2\n    }, // ours\n    \"a\": 1\n  }\n}\n";
    assert_eq!(sample.insert(file).as_deref(), Ok(with));
    let flat = "{\"mcpServers\": {\"ours\": {\"old\": 1}, \"a\": 1}}";
    assert_eq!(sample.insert(flat).as_deref(), Ok("{\"mcpServers\": {\"ours\": {\"new\": 2}, \"a\": 1}}"));
}

#[test]
fn removes_a_value_wherever_it_is() {
    for (file, without) in [
        ("{\"mcpServers\": {\"ours\": 1, \"a\": 2}}", "{\"mcpServers\": {\"a\": 2}}"),
        ("{\"mcpServers\": {\"a\": 2, \"ours\": 1, \"b\": 3}}", "{\"mcpServers\": {\"a\": 2, \"b\": 3}}"),
        ("{\n\"mcpServers\": {\n  \"ours\": 1,\n  \"a\": 2\n}\n}", "{\n\"mcpServers\": {\n  \"a\": 2\n}\n}"),
        (
            "{\n\"mcpServers\": {\n  // of a\n  \"ours\": 1, // about ours\n  \"a\": 2\n}\n}",
            "{\n\"mcpServers\": {\n  // of a\n  // about ours\n  \"a\": 2\n}\n}",
        ),
        (
            "{\n\"mcpServers\": {\n  \"a\": 2,\n  // above\n  \"ours\": 1\n  // below\n}\n}",
            "{\n\"mcpServers\": {\n  \"a\": 2\n  // above\n  // below\n}\n}",
        ),
        ("{\"mcpServers\": {\"ours\": 1}}", "{\"mcpServers\": {}}"),
        ("{\"mcpServers\": { /* c */ \"ours\": 1 }}", "{\"mcpServers\": { /* c */ }}"),
    ] {
        assert_eq!(Sample::json().remove(file, None), Ok(Some(without.to_owned())), "{file}");
    }
}

#[test]
fn edits_a_table_deep_in_the_file() {
    let sample =
        Sample { slot: ValueSlot::member(&["projects", "/home/me/x", "mcpServers"], "ours"), ..Sample::json() };
    sample.there_and_back(
        "{\n  \"projects\": {\n    \"/home/me/x\": {\n      \"mcpServers\": {},\n      \"z\": 1\n    }\n  }\n}\n",
    );
    sample.there_and_almost_back("{\n  \"projects\": {}\n}\n");
    sample.there_and_almost_back("{}");
}

#[test]
fn edits_an_element_of_a_list_beside_a_member() {
    let input = json!({ "type": "promptString", "id": "ours-TOKEN" });
    let values = [
        (ValueSlot::element(&["inputs"], "id", "ours-TOKEN"), input),
        (ValueSlot::member(&["servers"], "ours"), json!({ "command": "/x" })),
    ];
    let slots = values.clone().map(|(slot, _)| slot);
    for (file, is_exact) in [
        (
            "{\n  // why\n  \"servers\": {\n    \"a\": 1\n  },\n  \"inputs\": [\n    {\n      \"id\": \"b\"\n    }\n  ]\n}\n",
            true,
        ),
        ("{\"inputs\": [], \"servers\": {}}", true),
        ("{\"inputs\": [{\"id\": \"b\"}], \"servers\": {\"a\": 1}}", true),
        ("{\n  \"servers\": {}\n}\n", false),
        ("", false),
    ] {
        let with = FileFormat::Json.insert(file, &values).unwrap();
        assert_eq!(FileFormat::Json.insert(&with, &values).as_ref(), Ok(&with));
        for (slot, value) in &values {
            assert_eq!(FileFormat::Json.get(&with, slot), Ok(Some(value.clone())), "{with}");
        }
        assert_eq!(FileFormat::Json.remove(&with, &slots, Some(file)), Ok(Some(file.to_owned())));
        let back = FileFormat::Json.remove(&with, &slots, None).unwrap().unwrap();
        assert_eq!(back == file, is_exact, "{with}\n{back}");
    }
}
