//! The settings of a server as the form of a bundle, and how their values reach the program.

use serde_json::json;

use crate::cli::packages::Folder;

#[test]
fn each_setting_is_a_field_of_its_kind() {
    let manifest = Folder::of_package().json(&["manifest", "mcpb"]);
    let expected = json!({
        // A relative default means nothing to a host, which starts programs in any folder.
        "root": { "type": "directory", "title": "Root", "description": "The folder to search.", "required": true },
        "more": { "type": "directory", "title": "More", "description": "More folders.", "multiple": true },
        "rules": { "type": "file", "title": "Rules", "description": "The rules.", "default": "/etc/rules" },
        "limit": {
            "type": "number", "title": "Limit", "description": "How many results there are.", "default": 20, "min": 1, "max": 100,
        },
        // JavaScript cannot read the largest `u64`.
        "size": { "type": "number", "title": "Size", "description": "The size of the largest file in bytes.", "min": 0 },
        "threshold": {
            "type": "number", "title": "Threshold", "description": "How sure a match must be.", "default": 0.5, "min": 0, "max": 1,
        },
        "mode": {
            "type": "string",
            "title": "Way to search",
            "description": "How to search. Choices: fast, thorough (As long as it takes).",
            "default": "fast",
        },
        "modes": {
            "type": "string",
            "title": "Modes",
            "description":
                "What else to do. Choices: fast, thorough (As long as it takes). Separate several values with commas.",
        },
        "skip": {
            "type": "string",
            "title": "Skip",
            "description": "Names that are skipped. Separate several values with commas.",
            "default": "target,.git",
        },
        "links": { "type": "boolean", "title": "Links", "description": "Whether to follow links.", "default": false },
        "user": { "type": "string", "title": "User", "description": "Who searches.", "required": true },
        "token": {
            "type": "string", "title": "Token", "description": "Token of the service.", "required": true, "sensitive": true,
        },
        "pin": { "type": "string", "title": "Pin", "description": "The secret number.", "sensitive": true },
    });
    assert_eq!(manifest["user_config"], expected, "{manifest:#}");
}

#[test]
fn values_reach_the_program_as_variables_and_several_paths_as_arguments() {
    let manifest = Folder::of_package().json(&["manifest", "mcpb"]);
    let start = &manifest["server"]["mcp_config"];
    // A host does not put a list into a variable.
    assert_eq!(start["args"], json!(["stdio", "--more", "${user_config.more}"]));
    let variables = start["env"].as_object().unwrap();
    let names =
        ["ROOT", "RULES", "LIMIT", "SIZE", "THRESHOLD", "MODE", "MODES", "SKIP", "LINKS", "USER", "TOKEN", "PIN"];
    assert_eq!(variables.len(), names.len(), "{variables:?}");
    for name in names {
        let value = format!("${{user_config.{}}}", name.to_lowercase());
        assert_eq!(variables[&format!("PACK_{name}")], value, "{name}");
    }
}

#[test]
fn arguments_of_the_author_come_first() {
    let folder = Folder::of_package();
    let arguments = |more: &[&str]| {
        let manifest = folder.json(&[&["manifest", "mcpb", "--"], more].concat());
        manifest["server"]["mcp_config"]["args"].clone()
    };
    assert_eq!(
        arguments(&["--flag", "${HOME}"]),
        json!(["--flag", "${HOME}", "stdio", "--more", "${user_config.more}"])
    );
    assert_eq!(arguments(&["stdio", "--flag"]), json!(["stdio", "--flag", "--more", "${user_config.more}"]));
}
