//! The entry of each host.

use serde_json::{Map, Value, json};

use super::{
    entry::{SecretVariable, ServerEntry, ServerTarget},
    known::host,
};

const URL: &str = "https://example.com/mcp";

fn entry(secrets: &[&str]) -> ServerEntry {
    let secret = |name: &&str| SecretVariable { name: (*name).to_owned(), description: format!("The {name}.") };
    ServerEntry {
        name: "flights".to_owned(),
        target: ServerTarget::Program {
            path: "/opt/flights".to_owned(),
            arguments: vec!["--root".to_owned(), "/x".to_owned()],
        },
        variables: vec![("A".to_owned(), "1".to_owned())],
        secrets: secrets.iter().map(secret).collect(),
    }
}

/// Returns the entry of this host as a whole file.
fn file(name: &str, entry: &ServerEntry) -> Result<Value, String> {
    let host = host(name).unwrap();
    let mut top = Map::new();
    for (slot, value) in host.form.values(entry, host.title)? {
        slot.put(&mut top, &value)?;
    }
    Ok(Value::Object(top))
}

#[test]
fn a_program_has_the_form_of_each_host() {
    let common = json!({ "command": "/opt/flights", "args": ["--root", "/x"], "env": { "A": "1" } });
    let with = |members: Value| {
        let mut all = members.as_object().unwrap().clone();
        all.extend(common.as_object().unwrap().clone());
        Value::Object(all)
    };
    for (name, expected) in [
        ("claude-desktop", json!({ "mcpServers": { "flights": common } })),
        ("claude-code", json!({ "mcpServers": { "flights": with(json!({ "type": "stdio" })) } })),
        ("cursor", json!({ "mcpServers": { "flights": common } })),
        ("vscode", json!({ "servers": { "flights": with(json!({ "type": "stdio" })) } })),
        ("codex", json!({ "mcp_servers": { "flights": common } })),
        ("gemini", json!({ "mcpServers": { "flights": common } })),
        (
            "goose",
            json!({ "extensions": { "flights": {
                "name": "flights", "enabled": true, "timeout": 300, "type": "stdio",
                "cmd": "/opt/flights", "args": ["--root", "/x"], "envs": { "A": "1" },
            } } }),
        ),
        ("zed", json!({ "context_servers": { "flights": with(json!({ "source": "custom" })) } })),
        (
            "opencode",
            json!({ "mcp": { "servers": { "flights": {
                "type": "local", "command": ["/opt/flights", "--root", "/x"], "environment": { "A": "1" },
            } } } }),
        ),
        ("inspector", json!({ "mcpServers": { "flights": with(json!({ "type": "stdio" })) } })),
        ("copilot", json!({ "mcpServers": { "flights": with(json!({ "type": "local", "tools": ["*"] })) } })),
    ] {
        assert_eq!(file(name, &entry(&[])), Ok(expected), "{name}");
    }
}

#[test]
fn a_url_has_the_form_of_each_host() {
    let url = ServerEntry { target: ServerTarget::Url(URL.to_owned()), variables: Vec::new(), ..entry(&[]) };
    for (name, expected) in [
        ("claude-code", json!({ "mcpServers": { "flights": { "type": "http", "url": URL } } })),
        ("cursor", json!({ "mcpServers": { "flights": { "url": URL } } })),
        ("vscode", json!({ "servers": { "flights": { "type": "http", "url": URL } } })),
        ("codex", json!({ "mcp_servers": { "flights": { "url": URL } } })),
        ("gemini", json!({ "mcpServers": { "flights": { "httpUrl": URL } } })),
        (
            "goose",
            json!({ "extensions": { "flights": {
                "name": "flights", "enabled": true, "timeout": 300, "type": "streamable_http", "uri": URL,
            } } }),
        ),
        ("zed", json!({ "context_servers": { "flights": { "url": URL } } })),
        ("opencode", json!({ "mcp": { "servers": { "flights": { "type": "remote", "url": URL } } } })),
        ("inspector", json!({ "mcpServers": { "flights": { "type": "http", "url": URL } } })),
        ("copilot", json!({ "mcpServers": { "flights": { "type": "http", "tools": ["*"], "url": URL } } })),
    ] {
        assert_eq!(file(name, &url), Ok(expected), "{name}");
    }
    let expected = "Claude Desktop takes HTTP servers in its settings only: add the URL there, under Connectors";
    assert_eq!(file("claude-desktop", &url), Err(expected.to_owned()));
}

#[test]
fn a_secret_has_the_form_of_each_host_and_never_a_value() {
    let entry = entry(&["TOKEN"]);
    let server = |name: &str, tables: &str| file(name, &entry).unwrap().pointer(tables).unwrap().clone();
    for (name, tables, expected) in [
        ("claude-code", "/mcpServers/flights/env", json!({ "A": "1", "TOKEN": "${TOKEN}" })),
        ("cursor", "/mcpServers/flights/env", json!({ "A": "1", "TOKEN": "${env:TOKEN}" })),
        ("vscode", "/servers/flights/env", json!({ "A": "1", "TOKEN": "${input:flights-TOKEN}" })),
        ("codex", "/mcp_servers/flights/env_vars", json!(["TOKEN"])),
        ("codex", "/mcp_servers/flights/env", json!({ "A": "1" })),
        ("gemini", "/mcpServers/flights/env", json!({ "A": "1", "TOKEN": "${TOKEN}" })),
        ("goose", "/extensions/flights/env_keys", json!(["TOKEN"])),
        ("opencode", "/mcp/servers/flights/environment", json!({ "A": "1", "TOKEN": "{env:TOKEN}" })),
        ("copilot", "/mcpServers/flights/env", json!({ "A": "1", "TOKEN": "${TOKEN}" })),
    ] {
        assert_eq!(server(name, tables), expected, "{name}");
    }
    let input =
        json!([{ "type": "promptString", "id": "flights-TOKEN", "description": "The TOKEN.", "password": true }]);
    assert_eq!(server("vscode", "/inputs"), input);
    for name in ["claude-desktop", "zed", "inspector"] {
        let error = file(name, &entry).unwrap_err();
        assert!(
            error.contains("neither asks for secrets nor passes variables on") && error.contains("--env TOKEN=VALUE")
        );
    }
}
