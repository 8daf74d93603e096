//! The files of each system, and the entry of each host.

use std::{collections::BTreeSet, path::Path};

use serde_json::{Value, json};

use super::*;
use crate::edge::cli::install::{
    entry::{SecretVariable, ServerTarget},
    places::{OperatingSystem, Places},
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
    let mut top = json!({});
    for (slot, value) in host.form.values(entry, host.title)? {
        let mut at = &mut top;
        for table in &slot.tables {
            at = &mut at[table];
        }
        match slot.place {
            crate::edge::cli::install::edit::SlotPlace::Member(name) => at[name] = value,
            crate::edge::cli::install::edit::SlotPlace::Element { .. } => *at = vec![value].into(),
        }
    }
    Ok(top)
}

#[test]
fn each_host_has_its_file_on_each_system() {
    use OperatingSystem::{Linux, MacOs, Windows};

    let at = |system, name: &str, scope| {
        let places = Places {
            system,
            home: "/home/ada".into(),
            project: "/work/trip".into(),
            variable: Box::new(move |name| match (system, name) {
                (Windows, "APPDATA") => Some("/home/ada/AppData/Roaming".into()),
                _ => None,
            }),
        };
        let path = host(name).unwrap().file(scope).map(|path| places.path(path));
        path.map_or_else(|error| error, |path| path.display().to_string())
    };
    let support = "/home/ada/Library/Application Support";
    let roaming = "/home/ada/AppData/Roaming";
    for (name, linux, macos, windows) in [
        (
            "claude-desktop",
            "/home/ada/.config/Claude/claude_desktop_config.json",
            format!("{support}/Claude/claude_desktop_config.json"),
            format!("{roaming}/Claude/claude_desktop_config.json"),
        ),
        ("claude-code", "/home/ada/.claude.json", "/home/ada/.claude.json".into(), "/home/ada/.claude.json".into()),
        (
            "cursor",
            "/home/ada/.cursor/mcp.json",
            "/home/ada/.cursor/mcp.json".into(),
            "/home/ada/.cursor/mcp.json".into(),
        ),
        (
            "vscode",
            "/home/ada/.config/Code/User/mcp.json",
            format!("{support}/Code/User/mcp.json"),
            format!("{roaming}/Code/User/mcp.json"),
        ),
        (
            "codex",
            "/home/ada/.codex/config.toml",
            "/home/ada/.codex/config.toml".into(),
            "/home/ada/.codex/config.toml".into(),
        ),
        (
            "gemini",
            "/home/ada/.gemini/settings.json",
            "/home/ada/.gemini/settings.json".into(),
            "/home/ada/.gemini/settings.json".into(),
        ),
        (
            "goose",
            "/home/ada/.config/goose/config.yaml",
            "/home/ada/.config/goose/config.yaml".into(),
            format!("{roaming}/Block/goose/config/config.yaml"),
        ),
        (
            "zed",
            "/home/ada/.config/zed/settings.json",
            "/home/ada/.config/zed/settings.json".into(),
            format!("{roaming}/Zed/settings.json"),
        ),
        (
            "opencode",
            "/home/ada/.config/opencode/opencode.json",
            "/home/ada/.config/opencode/opencode.json".into(),
            "/home/ada/.config/opencode/opencode.json".into(),
        ),
        (
            "inspector",
            "/home/ada/.mcp-inspector/mcp.json",
            "/home/ada/.mcp-inspector/mcp.json".into(),
            "/home/ada/.mcp-inspector/mcp.json".into(),
        ),
        (
            "copilot",
            "/home/ada/.copilot/mcp-config.json",
            "/home/ada/.copilot/mcp-config.json".into(),
            "/home/ada/.copilot/mcp-config.json".into(),
        ),
    ] {
        assert_eq!(at(Linux, name, Scope::User), linux);
        assert_eq!(at(MacOs, name, Scope::User), macos);
        assert_eq!(at(Windows, name, Scope::User), windows);
    }
    for (name, project) in [
        ("claude-code", ".mcp.json"),
        ("cursor", ".cursor/mcp.json"),
        ("vscode", ".vscode/mcp.json"),
        ("codex", ".codex/config.toml"),
        ("gemini", ".gemini/settings.json"),
        ("opencode", "opencode.json"),
    ] {
        assert_eq!(at(Linux, name, Scope::Project), format!("/work/trip/{project}"));
    }
    assert_eq!(at(Linux, "zed", Scope::Project), "Zed has no file for a project; leave out `--project`");
}

#[test]
fn names_are_unique_and_every_file_is_below_its_presence_or_is_it() {
    let names: BTreeSet<_> = HOSTS.iter().map(|host| host.name).collect();
    assert_eq!(names.len(), HOSTS.len());
    for system in [OperatingSystem::Linux, OperatingSystem::MacOs, OperatingSystem::Windows] {
        let places = Places { system, home: "/h".into(), project: "/p".into(), variable: Box::new(|_| None) };
        for host in &HOSTS {
            let path = places.path(host.file(Scope::User).unwrap());
            assert!(path.starts_with(places.path(&host.presence)) && path.starts_with(Path::new("/h")), "{path:?}");
        }
    }
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
