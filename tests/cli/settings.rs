//! Settings of a program and of its server: options, variables, the settings file, and errors.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::cli::program::{Ran, ended, program};

/// The value of every secret in these tests. It must be in no output.
const SECRET: &str = "s3cr3t-94f1";

/// A folder that is removed at the end of its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mcp-settings-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program with these variables and arguments. No output contains a secret.
fn run(variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
    run_with_input(variables, arguments, "")
}

fn run_with_input(variables: &[(&str, &str)], arguments: &[&str], input: &str) -> Ran {
    let mut command = program("cli_settings");
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("MCP_") || name.starts_with("APP_")) {
            command.env_remove(name);
        }
    }
    command.envs(variables.iter().copied()).args(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program may refuse to start before it reads.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let ran = ended(child.wait_with_output().unwrap());
    assert!(!ran.output.contains(SECRET) && !ran.errors.contains(SECRET), "{ran:?}");
    ran
}

const USER: (&str, &str) = ("APP_USER", "ann");
const TOKEN: (&str, &str) = ("APP_TOKEN", SECRET);

#[test]
fn defaults_apply_and_debug_shows_no_secret() {
    let shown = run(&[USER, TOKEN], &["call", "show"]);
    assert_eq!(
        shown.result(),
        "AppSettings { root: \".\", limit: 20, mode: Fast, skip: [], links: false, user: \"ann\", token: ***, pin: None } 11"
    );
}

#[test]
fn an_option_has_precedence_over_a_variable_and_a_variable_over_the_file() {
    let folder = Folder::new("precedence");
    let file = folder
        .write("app.toml", "root = \"/file\"\nlimit = 1\nuser = \"file\"\nskip = [\"a,b\", \"c\"]\nlinks = true\n");
    let variables = [TOKEN, ("APP_LIMIT", "2"), ("APP_USER", "variable"), ("MCP_CONFIG", &*file)];
    let shown = run(&variables, &["--user", "option", "call", "show"]);
    assert!(
        shown.result().starts_with(
            "AppSettings { root: \"/file\", limit: 2, mode: Fast, skip: [\"a,b\", \"c\"], links: true, user: \"option\""
        ),
        "{shown:?}"
    );
    // `--config` has precedence over `MCP_CONFIG`.
    let other = folder.write("other.toml", "root = \"/other\"");
    let shown = run(&variables, &["call", "--config", &other, "show"]);
    assert!(shown.result().starts_with("AppSettings { root: \"/other\", limit: 2"), "{shown:?}");
}

#[test]
fn options_of_every_kind_are_read_before_and_behind_the_command() {
    let options = ["--root", "/r", "--limit=3", "--mode", "thorough", "--skip", "a,b", "--skip", "c", "--links"];
    for arguments in [[&options[..], &["call", "show"]].concat(), [&["call"], &options[..], &["show"]].concat()] {
        let shown = run(&[USER, TOKEN], &arguments);
        assert!(
            shown.result().starts_with(
                "AppSettings { root: \"/r\", limit: 3, mode: Thorough, skip: [\"a\", \"b\", \"c\"], links: true,"
            ),
            "{shown:?}"
        );
    }
    let shown = run(&[USER, TOKEN, ("APP_LINKS", "yes")], &["--links=false", "call", "show"]);
    assert!(shown.result().contains("links: false"), "{shown:?}");
}

#[test]
fn one_error_lists_everything_that_is_missing_and_wrong() {
    let folder = Folder::new("all");
    let file = folder.write("app.toml", "links = \"maybe\"\nroot = 3\nuzer = \"ann\"\n[mcp]\nlog_levle = \"info\"\n");
    let variables = [("APP_LIMIT", "many"), ("APP_PIN", SECRET), ("MCP_STATE_KEY", SECRET)];
    let refused = run(&variables, &["--config", &file, "--mode", "slow", "call", "show"]);
    assert_eq!((refused.code, refused.output.as_str()), (Some(2), ""));
    let expected = [
        "error: the server cannot be built:".to_owned(),
        format!("  - `mcp.log_levle` in `{file}` is not a setting of the server; did you mean `log_level`?"),
        format!("  - `uzer` in `{file}` is not a setting; did you mean `user`?"),
        format!("  - `root` in `{file}` is a number, but must be text; put it in quotes"),
        "  - `APP_LIMIT` is `many`, not a whole number from 0 to 255".to_owned(),
        "  - `--mode` is `slow`, not `fast` or `thorough`".to_owned(),
        format!("  - `links` in `{file}` is `maybe`, not `true` or `false`"),
        format!(
            "  - the setting `user` (Who searches) is missing; set the option `--user`, the variable `APP_USER` or `user` in \
             `{file}`"
        ),
        format!(
            "  - the setting `token` (Token of the service) is missing; set the variable `APP_TOKEN`, `APP_TOKEN_FILE` with \
             the path of a file that contains it or `token` in `{file}`"
        ),
        "  - `APP_PIN` is not a whole number from 0 to 65535; its value is a secret and is not shown".to_owned(),
    ];
    let mut lines: Vec<_> = refused.errors.lines().map(str::to_owned).collect();
    // The settings of the server are read first: the key is checked only if the others are right.
    lines.retain(|line| !line.contains("MCP_STATE_KEY"));
    assert_eq!(lines, expected);
}

#[test]
fn commands_that_only_show_need_no_values() {
    for arguments in [&["tools"][..], &["tools", "show"], &["manifest"], &["help"], &["--help"], &["--version"]] {
        assert_eq!(run(&[], arguments).code, Some(0), "{arguments:?}");
        let wrong = [("APP_LIMIT", "many"), TOKEN, ("MCP_CONFIG", "/no/such/file"), ("MCP_LOG_LEVEL", "loud")];
        assert_eq!(run(&wrong, arguments).code, Some(0), "{arguments:?}");
    }
    let mistaken = run(&[], &["--no-such-option"]);
    assert!(mistaken.code == Some(2) && mistaken.errors.contains("--no-such-option"), "{mistaken:?}");
}

#[test]
fn help_and_manifest_describe_settings() {
    let help = run(&[TOKEN, USER], &["--help"]).output;
    for part in [
        "Settings:",
        "--root <DIRECTORY>",
        "The folder to search [default: .] [env: APP_ROOT]",
        "--mode <fast|thorough>",
        "Who searches [required] [env: APP_USER]",
        "--config <FILE>",
        "APP_TOKEN  Token of the service [required]",
    ] {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert!(!help.contains("--token"), "{help}");
    let manifest: serde_json::Value = serde_json::from_str(&run(&[TOKEN, USER], &["manifest"]).output).unwrap();
    let settings = manifest["settings"].as_array().unwrap();
    assert_eq!(settings.len(), 8);
    let expected = serde_json::json!({
        "name": "mode", "description": "How to search.", "kind": "choice", "default": "fast", "env": "APP_MODE", "flag": "mode",
        "choices": [{ "name": "fast", "title": null }, { "name": "thorough", "title": null }],
    });
    assert_eq!(settings[2], expected);
    let token = serde_json::json!({
        "name": "token", "description": "Token of the service.", "kind": "text", "secret": true, "required": true,
        "env": "APP_TOKEN",
    });
    assert_eq!(settings[6], token);
}

#[test]
fn a_secret_can_be_in_a_file() {
    let folder = Folder::new("files");
    let token = folder.write("token", &format!("{SECRET}\n"));
    assert!(
        run(&[USER, ("APP_TOKEN_FILE", &token)], &["call", "show"]).result().ends_with("token: ***, pin: None } 11")
    );
    let both = run(&[USER, TOKEN, ("APP_TOKEN_FILE", &token)], &["call", "show"]);
    assert!(both.errors.contains("both `APP_TOKEN` and `APP_TOKEN_FILE` are set; set one of them"), "{both:?}");
    let absent = run(&[USER, ("APP_TOKEN_FILE", "/no/such/file")], &["call", "show"]);
    assert!(absent.errors.contains("cannot read the file `/no/such/file` of `APP_TOKEN_FILE`: "), "{absent:?}");
    let endless = Path::new("/dev/zero");
    if endless.exists() {
        let endless = run(&[USER, ("APP_TOKEN_FILE", "/dev/zero")], &["call", "show"]);
        assert!(endless.errors.contains("it is larger than 1 MiB"), "{endless:?}");
    }
    let pin = folder.write("pin", SECRET);
    let wrong = run(&[USER, TOKEN, ("APP_PIN_FILE", &pin)], &["call", "show"]);
    assert!(wrong.errors.contains("the file of `APP_PIN_FILE` is not a whole number from 0 to 65535"), "{wrong:?}");
}

#[test]
fn an_empty_variable_and_a_placeholder_of_a_host_are_not_set() {
    for empty in ["", "${user_config.user}", "${APP_USER}", "${env:APP_USER}"] {
        let refused = run(&[TOKEN, ("APP_USER", empty)], &["call", "show"]);
        assert!(refused.errors.contains("the setting `user` (Who searches) is missing"), "{refused:?}");
    }
}

#[test]
fn errors_about_the_settings_file_do_not_show_what_it_contains() {
    let folder = Folder::new("broken");
    for (text, problem) in [
        (format!("user = \"ann\"\ntoken = {SECRET}\n"), "is not TOML: line 2, column "),
        (format!("token = \"{SECRET}\n"), "is not TOML: line 1, column "),
        (format!("token = \"{SECRET}\"\ntoken = \"{SECRET}\"\n"), "is not TOML: line 2, column "),
        (format!("[token]\nvalue = \"{SECRET}\"\n"), "`token` in `"),
        (format!("token = [\"{SECRET}\"]\n"), "is a list, but must be one value"),
        (format!("mcp = \"{SECRET}\"\n"), "app.toml` must be a table, with the settings of the server itself"),
    ] {
        let file = folder.write("app.toml", &text);
        let refused = run(&[USER], &["--config", &file, "call", "show"]);
        assert!(refused.code == Some(2) && refused.errors.contains(problem), "{text}: {refused:?}");
    }
    let absent = run(&[USER, TOKEN], &["--config", "/no/such/app.toml", "call", "show"]);
    assert_eq!(absent.code, Some(2));
    assert!(absent.errors.contains("cannot read the settings file `/no/such/app.toml`: "), "{absent:?}");
}

#[test]
fn a_state_is_made_from_settings_and_can_fail() {
    let refused = run(&[USER, ("APP_TOKEN", "ab")], &["call", "show"]);
    assert!(
        refused.code == Some(2) && refused.errors.contains("TokenLength` from the settings: the token is too short"),
        "{refused:?}"
    );
}

/// Calls the tool as a client of 2025-11-25.
const SESSION: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"show","arguments":{}}}"#,
    "\n",
);

#[test]
fn the_log_of_every_level_shows_no_secret() {
    let silent = run_with_input(&[USER, TOKEN], &[], SESSION);
    assert_eq!((silent.code, silent.errors.as_str()), (Some(0), ""), "{silent:?}");
    let variables = [USER, TOKEN, ("APP_PIN", "1234"), ("MCP_LOG_LEVEL", "trace")];
    let logged = run_with_input(&variables, &["stdio"], SESSION);
    assert!(logged.code == Some(0) && logged.output.contains("token: ***, pin: Some(***)"), "{logged:?}");
    assert!(logged.errors.contains("tools/call") && logged.errors.contains("DEBUG"), "{logged:?}");
    assert!(!logged.errors.contains("1234"), "{logged:?}");
    let wrong = run(&[USER, TOKEN], &["--log-level", "loud", "call", "show"]);
    assert!(
        wrong.errors.contains("`--log-level` is `loud`, not `off`, `error`, `warn`, `info`, `debug` or `trace`"),
        "{wrong:?}"
    );
}

#[test]
fn the_operator_chooses_the_store_and_the_keys() {
    let folder = Folder::new("store");
    let store = folder.0.join("calls.db");
    let key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    let file =
        folder.write("app.toml", &format!("[mcp]\nstore = \"sqlite:{}\"\nstate_key = \"{key}\"\n", store.display()));
    let asked = run(&[USER, TOKEN, ("MCP_CONFIG", &file)], &["call", "ask", "--answer", "confirm=true"]);
    assert_eq!(asked.result(), "true");
    assert!(store.exists());

    let wrong = [("MCP_STORE", format!("mysql://ann:{SECRET}@db")), ("MCP_STATE_KEY", format!("{key},{SECRET}"))];
    let wrong = wrong.each_ref().map(|(name, value)| (*name, value.as_str()));
    let refused = run(&[&[USER, TOKEN], &wrong[..]].concat(), &["call", "show"]);
    assert_eq!(refused.code, Some(2));
    for part in [
        "cannot open the store of `MCP_STORE`: the address of the store begins with an unknown scheme",
        "`MCP_STATE_KEY`: key 2 is not base64",
    ] {
        assert!(refused.errors.contains(part), "{part}: {refused:?}");
    }
}

/// What every command prints, and what the page would show, is made from the same service.
#[test]
fn no_command_shows_a_secret() {
    let folder = Folder::new("commands");
    let home = folder.write("home", "");
    let variables = [USER, TOKEN, ("APP_PIN", "40813"), ("HOME", &home)];
    let commands: [&[&str]; 14] = [
        &["tools"],
        &["tools", "show"],
        &["manifest"],
        &["check"],
        &["check", "--format", "json"],
        &["check", "--format", "sarif"],
        &["doctor"],
        &["doctor", "--json"],
        &["install", "--links", "--allow-debug"],
        &["install", "--print", "--allow-debug", "vscode"],
        &["install", "--print", "--allow-debug", "codex"],
        &["install", "--print", "--allow-debug", "claude-desktop"],
        &["help"],
        &["store", "migrate"],
    ];
    for command in commands {
        let ran = run(&variables, command);
        assert!(!format!("{ran:?}").contains("40813"), "{command:?}: {ran:?}");
    }
    let about = ["--description", "Searches.", "--repository", "https://github.com/ann/searcher"];
    let packages: [&[&str]; 2] =
        [&["mcpb", "--author", "Ann", "--license", "MIT"], &["server-json", "--remote", "https://example.com/mcp"]];
    for package in packages {
        let ran = run(&variables, &[&["manifest"], package, &about].concat());
        assert!(ran.code == Some(0) && !ran.output.is_empty(), "{ran:?}");
    }
}
