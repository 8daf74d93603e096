//! The files of each host on each system.

use std::collections::BTreeSet;

use super::*;
use crate::edge::hosts::known::{HOSTS, Scope, host};

fn places(system: OperatingSystem, variable: impl Fn(&str) -> Option<OsString> + 'static) -> Places {
    Places { system, home: "/home/ada".into(), project: "/work/trip".into(), variable: Box::new(variable) }
}

#[test]
fn a_variable_replaces_its_default() {
    let path = PlacePath::everywhere("{XDG_CONFIG_HOME:~/.config}/Claude/a.json");
    let none = places(OperatingSystem::Linux, |_| None);
    assert_eq!(none.path(&path), Path::new("/home/ada/.config/Claude/a.json"));
    let empty = places(OperatingSystem::Linux, |_| Some(OsString::new()));
    assert_eq!(empty.path(&path), Path::new("/home/ada/.config/Claude/a.json"));
    let set = places(OperatingSystem::Linux, |name| (name == "XDG_CONFIG_HOME").then(|| "/etc/ada".into()));
    assert_eq!(set.path(&path), Path::new("/etc/ada/Claude/a.json"));
}

#[test]
fn each_system_has_its_path() {
    let path = PlacePath::of("a/b", "~/c d/e", "~/f");
    for (system, expected) in [
        (OperatingSystem::Linux, "/work/trip/a/b"),
        (OperatingSystem::MacOs, "/home/ada/c d/e"),
        (OperatingSystem::Windows, "/home/ada/f"),
    ] {
        assert_eq!(places(system, |_| None).path(&path), Path::new(expected));
    }
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
