//! Entries of other servers, and of earlier installations.

use super::*;

#[test]
fn an_entry_that_starts_another_program_is_kept() {
    for (name, document, other) in [
        ("cursor", "{\"mcpServers\": {\"flights\": {\"command\": \"npx\"}}}", "starts `npx`"),
        ("cursor", "{\"mcpServers\": {\"flights\": {\"url\": \"https://x\"}}}", "is at `https://x`"),
        ("cursor", "{\"mcpServers\": {\"flights\": 1}}", "has another form"),
        ("opencode", "{\"mcp\": {\"servers\": {\"flights\": {\"command\": [\"npx\", \"x\"]}}}}", "starts `npx`"),
        ("codex", "[mcp_servers.flights]\ncommand = 'npx'\n", "starts `npx`"),
        ("goose", "extensions:\n  flights:\n    cmd: npx\n", "starts `npx`"),
    ] {
        let computer = Computer::new();
        let host = host(name).unwrap();
        let path = computer.write(host, document);
        let before = computer.files();
        let error = computer.installer().install(host, &entry()).unwrap_err();
        let expected = format!(
            "`{}` has an entry `flights` that {other}; choose another name with `--name`, or overwrite it with `--force`",
            path.display()
        );
        assert_eq!(error, expected);
        assert_eq!(computer.files(), before);
        let forced = Installer { force: true, ..computer.installer() }.install(host, &entry());
        assert!(matches!(forced, Ok(Applied::Replaced { backup: Some(_), .. })), "{forced:?}");
    }
}

#[test]
fn an_entry_of_this_program_is_replaced_wherever_the_program_was() {
    for command in ["/old/flights", "flights", "C:\\\\old\\\\flights.exe"] {
        let computer = Computer::new();
        let host = host("cursor").unwrap();
        computer.write(host, &format!("{{\"mcpServers\": {{\"flights\": {{\"command\": \"{command}\"}}}}}}"));
        let replaced = computer.installer().install(host, &entry());
        assert!(matches!(replaced, Ok(Applied::Replaced { .. })), "{replaced:?}");
    }
}

#[test]
fn a_url_can_be_removed_by_its_name_but_another_program_cannot() {
    let computer = Computer::new();
    let host = host("cursor").unwrap();
    let url = ServerEntry { target: ServerTarget::Url("https://x/mcp".to_owned()), variables: Vec::new(), ..entry() };
    computer.installer().install(host, &url).unwrap();
    assert!(matches!(computer.installer().remove(host, "flights"), Ok(Applied::Removed { .. })));
    let path = computer.write(host, "{\"mcpServers\": {\"github\": {\"command\": \"npx\"}}}");
    let error = computer.installer().remove(host, "github").unwrap_err();
    assert!(error.contains("has an entry `github` that starts `npx`"), "{error}");
    assert!(read(&path).contains("github"));
    assert!(Installer { force: true, ..computer.installer() }.remove(host, "github").is_ok());
    let absent = Ok(Applied::Absent { path: path.display().to_string() });
    assert_eq!(computer.installer().remove(host, "github"), absent);
}

#[test]
fn the_inputs_of_vscode_come_and_go_with_the_entry() {
    let computer = Computer::new();
    let host = host("vscode").unwrap();
    let document = "{\n  // mine\n  \"inputs\": [\n    { \"id\": \"other\", \"type\": \"promptString\" }\n  ],\n  \"servers\": {}\n}\n";
    let path = computer.write(host, document);
    let before = computer.files();
    let installer = computer.installer();
    installer.install(host, &with_secret(with_secret(entry(), "TOKEN"), "KEY")).unwrap();
    let ids = |text: &str| {
        let ids = ["other", "flights-TOKEN", "flights-KEY"].into_iter();
        ids.filter(|id| text.contains(&format!("\"id\": \"{id}\""))).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ids(&read(&path)), ["other", "flights-TOKEN", "flights-KEY"]);
    assert!(read(&path).contains("\"TOKEN\": \"${input:flights-TOKEN}\""));
    // A later version without one of the secrets.
    installer.install(host, &with_secret(entry(), "KEY")).unwrap();
    assert_eq!(ids(&read(&path)), ["other", "flights-KEY"]);
    installer.remove(host, "flights").unwrap();
    let back = read(&path);
    assert_eq!(back, document);
    assert_eq!(computer.files()[0], before[0]);
}

#[test]
fn two_servers_in_one_file_come_and_go_in_any_order() {
    let computer = Computer::new();
    let host = host("cursor").unwrap();
    let document = "{\n  \"mcpServers\": {\n    \"a\": 1\n  }\n}\n";
    let path = computer.write(host, document);
    let hotels = ServerEntry { name: "hotels".to_owned(), ..entry() };
    let installer = computer.installer();
    for order in [["flights", "hotels"], ["hotels", "flights"]] {
        installer.install(host, &entry()).unwrap();
        installer.install(host, &hotels).unwrap();
        for name in order {
            installer.remove(host, name).unwrap();
        }
        assert_eq!(read(&path), document, "{order:?}");
    }
}

#[test]
fn a_backup_that_does_not_lead_to_the_file_is_replaced() {
    let computer = Computer::new();
    let host = host("cursor").unwrap();
    let path = computer.write(host, "{}");
    let backup = path.with_file_name("mcp.json.before-flights");
    fs::write(&backup, "of another time").unwrap();
    computer.installer().install(host, &entry()).unwrap();
    assert_eq!(read(&backup), "{}");
    // The host has written its file since.
    let later = read(&path).replace("{\n  \"mcpServers\"", "{\n  \"theirs\": 1,\n  \"mcpServers\"");
    fs::write(&path, &later).unwrap();
    let removed = computer.installer().remove(host, "flights").unwrap();
    assert_eq!(
        removed,
        Applied::Removed { path: path.display().to_string(), backup: Some(backup.display().to_string()) }
    );
    assert_eq!(read(&path), "{\n  \"theirs\": 1,\n  \"mcpServers\": {}\n}");
    assert_eq!(read(&backup), later, "the file before the removal");
}

#[test]
fn a_file_of_an_older_version_gets_the_entry_where_its_entries_are() {
    let host = host("opencode").unwrap();
    for (document, pointer) in [
        (
            "{\n  \"mcp\": {\n    \"a\": {\n      \"type\": \"local\",\n      \"command\": [\"x\"]\n    }\n  }\n}\n",
            "/mcp/flights",
        ),
        ("{\"mcp\": {\"a\": {\"type\": \"remote\", \"url\": \"https://x\"}}}", "/mcp/flights"),
        (
            "{\"mcp\": {\"servers\": {\"command\": {\"type\": \"local\", \"command\": [\"x\"]}}}}",
            "/mcp/servers/flights",
        ),
        ("{\"mcp\": {}}", "/mcp/servers/flights"),
        ("", "/mcp/servers/flights"),
    ] {
        let computer = Computer::new();
        let path = computer.write(host, document);
        computer.installer().install(host, &entry()).unwrap();
        let file: Value = serde_json::from_str(&read(&path)).unwrap();
        assert_eq!(file.pointer(pointer).unwrap()["command"][0], "/opt/flights", "{document}");
        assert!(computer.installer().has_entry(host, "flights"));
        computer.installer().remove(host, "flights").unwrap();
        assert_eq!(read(&path), document);
    }
}

#[test]
fn a_file_with_the_other_extension_of_its_host_is_edited() {
    let computer = Computer::new();
    let host = host("opencode").unwrap();
    let path = computer.path(host).with_extension("jsonc");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "// mine\n{}\n").unwrap();
    let before = computer.files();
    let added = computer.installer().install(host, &entry()).unwrap();
    assert!(
        matches!(&added, Applied::Added { path: written, .. } if *written == path.display().to_string()),
        "{added:?}"
    );
    assert!(matches!(computer.installer().remove(host, "flights"), Ok(Applied::Removed { .. })));
    assert_eq!(computer.files(), before);
}
