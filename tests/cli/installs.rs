//! `install`: the server in the files of hosts, in a temporary home.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{self, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::{Value, json};

use crate::cli::program::{Ran, ended, failed, printed, program};

/// A temporary folder with a home and a project.
pub(super) struct Home {
    root: PathBuf,
}

impl Home {
    pub(super) fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let root = fs::canonicalize(std::env::temp_dir()).unwrap();
        let root = root.join(format!("mcp-cli-install-{}-{number}", process::id()));
        fs::create_dir_all(root.join("home")).unwrap();
        fs::create_dir_all(root.join("project")).unwrap();
        Self { root }
    }

    /// Returns the variables with which a process finds its files here.
    pub(super) fn variables(&self) -> Vec<(&'static str, String)> {
        let below = |folder: &str| self.root.join("home").join(folder).display().to_string();
        let folders = [
            ("HOME", ""),
            ("USERPROFILE", ""),
            ("APPDATA", "AppData/Roaming"),
            ("XDG_CONFIG_HOME", ".config"),
            ("CLAUDE_CONFIG_DIR", ""),
            ("CODEX_HOME", ".codex"),
            ("COPILOT_HOME", ".copilot"),
        ];
        folders.map(|(name, folder)| (name, below(folder))).to_vec()
    }

    pub(super) fn run_program(&self, name: &str, arguments: &[&str]) -> Ran {
        let mut command = program(name);
        command.args(arguments).envs(self.variables()).current_dir(self.root.join("project"));
        ended(command.stdin(Stdio::null()).output().unwrap())
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.run_program("cli_server", &[&["install", "--allow-debug"], arguments].concat())
    }

    fn remove(&self, arguments: &[&str]) -> Ran {
        self.run_program("cli_server", &[&["install", "--remove"], arguments].concat())
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }

    pub(super) fn write(&self, file: &str, text: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        fs::write(self.path(file), text).unwrap();
    }

    pub(super) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.root));
    }
}

fn server() -> &'static str {
    env!("CARGO_BIN_EXE_cli_server")
}

#[test]
fn adds_the_server_to_a_host_and_removes_it() {
    let home = Home::new();
    let document = "// mine\n{\n\t\"mcpServers\": {\n\t\t\"a\": { \"command\": \"b\" }, // a\n\t},\n}\n";
    home.write("home/.cursor/mcp.json", document);
    let path = home.path("home/.cursor/mcp.json").display().to_string();
    let added = home.run(&["cursor"]);
    let expected = format!(
        "Cursor: added `cli-server` to `{path}`\n  the file as it was: `{path}.before-cli-server`\n  next: enable the server in \
         the settings of Cursor, under MCP\n"
    );
    assert_eq!(added, printed(&expected));
    let entry = format!("\t\t\"cli-server\": {{\n\t\t\t\"command\": \"{}\",\n\t\t\t\"args\": []\n\t\t}},\n", server());
    assert_eq!(home.read("home/.cursor/mcp.json"), document.replace("\t},\n}", &format!("{entry}\t}},\n}}")));
    assert_eq!(home.run(&["cursor"]), printed(&format!("Cursor: `cli-server` in `{path}` is up to date\n")));
    assert_eq!(home.remove(&["cursor"]), printed(&format!("Cursor: removed `cli-server` from `{path}`\n")));
    assert_eq!(home.read("home/.cursor/mcp.json"), document);
    assert!(!home.path("home/.cursor/mcp.json.before-cli-server").exists());
    assert_eq!(home.remove(&["cursor"]), printed(&format!("Cursor: there is no `cli-server` in `{path}`\n")));
}

#[test]
fn the_entry_starts_the_server() {
    let home = Home::new();
    assert_eq!(home.run(&["claude-code", "--project"]).code, Some(0));
    let file: Value = serde_json::from_str(&home.read("project/.mcp.json")).unwrap();
    let entry = &file["mcpServers"]["cli-server"];
    assert_eq!(entry["type"], "stdio");
    let mut command = process::Command::new(entry["command"].as_str().unwrap());
    command.args(entry["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap()));
    command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), ping).unwrap();
    let output = child.wait_with_output().unwrap().stdout;
    assert_eq!(String::from_utf8(output).unwrap(), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
}

#[test]
fn several_hosts_get_the_entry_even_if_one_file_is_broken() {
    let home = Home::new();
    home.write("home/.codex/config.toml", "model = \"x\n");
    home.write("home/.config/goose/config.yaml", "GOOSE_MODEL: x\nextensions:\n  a:\n    enabled: true\n");
    let ran =
        home.run(&["codex", "goose", "--name", "mine", "--env", "LOG=a b", "--secret", "TOKEN", "--", "stdio", "-x"]);
    assert_eq!(ran.code, Some(1));
    let path = home.path("home/.codex/config.toml").display().to_string();
    assert!(ran.errors.starts_with(&format!("error: Codex: `{path}` cannot be edited: ")), "{}", ran.errors);
    let expected = format!(
        "GOOSE_MODEL: x\nextensions:\n  a:\n    enabled: true\n  mine:\n    name: \"mine\"\n    enabled: true\n    timeout: \
         300\n    type: \"stdio\"\n    cmd: \"{}\"\n    args: [\"stdio\", \"-x\"]\n    env_keys: [\"TOKEN\"]\n    envs:\n      LOG: \
         \"a b\"\n",
        server()
    );
    assert_eq!(home.read("home/.config/goose/config.yaml"), expected);
    assert_eq!(home.read("home/.codex/config.toml"), "model = \"x\n");
}

#[test]
fn shows_the_command_of_a_host_that_has_one() {
    let home = Home::new();
    let ran = home.run(&["codex", "--env", "LOG=a b"]);
    let shown =
        format!("  the command of Codex for the same: codex mcp add cli-server --env 'LOG=a b' -- {}\n", server());
    assert!(ran.result().ends_with(shown.trim_end()), "{ran:?}");
    let expected = format!(
        "[mcp_servers.cli-server]\ncommand = \"{}\"\nargs = []\n\n[mcp_servers.cli-server.env]\nLOG = \"a b\"\n",
        server()
    );
    assert_eq!(home.read("home/.codex/config.toml"), expected);
    // The command would lack the secret.
    assert!(!home.run(&["codex", "--secret", "TOKEN"]).result().contains("codex mcp add"));
}

#[test]
fn a_dry_run_prints_the_difference_and_writes_nothing() {
    let home = Home::new();
    let document = "{\n  \"servers\": {\n    \"a\": { \"env\": { \"KEY\": \"s3cret\" } },\n    \"b\": 1\n  }\n}\n";
    home.write("home/.config/Code/User/mcp.json", document);
    let ran = home.run(&["vscode", "--dry-run", "--url", "http://127.0.0.1:8080/mcp"]);
    let expected = format!(
        "VS Code: would change `{}`:\n@@ line 4 @@\n-    \"b\": 1\n+    \"b\": 1,\n+    \"cli-server\": {{\n+      \"type\": \"http\",\n\
         +      \"url\": \"http://127.0.0.1:8080/mcp\"\n+    }}\n  the command of VS Code for the same: code --add-mcp \
         '{{\"name\":\"cli-server\",\"type\":\"http\",\"url\":\"http://127.0.0.1:8080/mcp\"}}'\n",
        home.path("home/.config/Code/User/mcp.json").display()
    );
    if cfg!(target_os = "linux") {
        assert_eq!(ran, printed(&expected));
        assert_eq!(home.read("home/.config/Code/User/mcp.json"), document);
        assert!(!home.path("home/.config/Code/User/mcp.json.before-cli-server").exists());
    }
}

#[test]
fn prints_the_entry_alone() {
    let home = Home::new();
    let ran = home.run(&["zed", "--print", "--env", "LOG=debug"]);
    let entry: Value = serde_json::from_str(ran.result()).unwrap();
    let expected = json!({ "source": "custom", "command": server(), "args": [], "env": { "LOG": "debug" } });
    assert_eq!(entry, json!({ "context_servers": { "cli-server": expected } }));
    assert_eq!(fs::read_dir(home.path("home")).unwrap().count(), 0, "nothing is written");
    let ran = home.run(&["--print"]);
    assert_eq!(ran, failed(2, "error: `--print` needs one host, such as `cli_server install cursor --print`\n"));
}

#[test]
fn the_settings_of_the_command_line_become_arguments_of_the_entry() {
    let home = Home::new();
    // Behind `install`, `--name` is the name of the entry.
    let settings = ["--root", "/notes", "--links", "--skip", "a", "--skip", "b", "--log-level=debug"];
    let install = ["install", "cursor", "--print", "--name", "notes", "--allow-debug", "--", "stdio", "--user", "ann"];
    let ran = home.run_program("cli_settings", &[&settings[..], &install].concat());
    let entry: Value = serde_json::from_str(ran.result()).unwrap();
    let arguments =
        ["--links=true", "--log-level=debug", "--root=/notes", "--skip=a", "--skip=b", "stdio", "--user", "ann"];
    assert_eq!(entry["mcpServers"]["notes"]["args"], json!(arguments), "{entry}");
}

#[test]
fn prints_links() {
    let home = Home::new();
    let ran = home.run(&["--links", "--url", "https://example.com/mcp"]);
    let expected = "\
Cursor
  cursor://anysphere.cursor-deeplink/mcp/install?name=cli-server&config=eyJ1cmwiOiJodHRwczovL2V4YW1wbGUuY29tL21jcCJ9
VS Code
  vscode:mcp/install?%7B%22name%22%3A%22cli-server%22%2C%22type%22%3A%22http%22%2C%22url%22%3A%22https%3A%2F%2Fexample.com%2Fmcp%22%7D
VS Code Insiders
  vscode-insiders:mcp/install?%7B%22name%22%3A%22cli-server%22%2C%22type%22%3A%22http%22%2C%22url%22%3A%22https%3A%2F%2Fexample.com%2Fmcp%22%7D
goose
  goose://extension?url=https%3A%2F%2Fexample.com%2Fmcp&id=cli-server&name=cli-server&description=cli-server
";
    assert_eq!(ran, printed(expected));
}

#[test]
fn a_program_below_target_debug_is_rejected() {
    let home = Home::new();
    if !Path::new(server()).iter().any(|part| part == "debug") {
        return;
    }
    let expected = format!(
        "error: `{}` is a debug build, which is slow and does not stay; install the program of `cargo build --release` or \
         `cargo install`, or accept this one with `--allow-debug`\n",
        server()
    );
    assert_eq!(home.run_program("cli_server", &["install", "cursor"]), failed(2, &expected));
    assert_eq!(fs::read_dir(home.path("home")).unwrap().count(), 0);
}

#[test]
fn a_host_without_urls_or_secrets_says_what_to_do() {
    let home = Home::new();
    let url = "error: Claude Desktop takes HTTP servers in its settings only: add the URL there, under \
               Connectors\n";
    for folder in [
        ".config/Claude",
        ".config/zed",
        "Library/Application Support/Claude",
        "AppData/Roaming/Claude",
        "AppData/Roaming/Zed",
    ] {
        fs::create_dir_all(home.path("home").join(folder)).unwrap();
    }
    assert_eq!(home.run(&["claude-desktop", "--url", "https://example.com/mcp"]), failed(1, url));
    let secret = "error: the server needs more than the entry has:\n  - the secret `TOKEN` (TOKEN for the MCP server \
                  `cli-server`): Zed can have it in plain text only; add `--env TOKEN=VALUE`\n";
    assert_eq!(home.run(&["zed", "--secret", "TOKEN"]), failed(2, secret));
}

#[test]
fn a_host_that_is_not_there_gets_the_entry_with_a_warning() {
    let home = Home::new();
    let ran = home.run(&["inspector"]);
    let folder = home.path("home/.mcp-inspector");
    let expected = format!("warning: MCP Inspector may not be installed: `{}` does not exist\n", folder.display());
    assert_eq!((ran.code, &*ran.errors), (Some(0), &*expected));
    assert!(folder.join("mcp.json").exists());
    let ran = home.run(&["inspector"]);
    assert_eq!((ran.code, &*ran.errors), (Some(0), ""));
}

#[test]
fn without_a_terminal_the_hosts_must_be_named() {
    let home = Home::new();
    let none = "error: no host was found; name one, such as `cli_server install claude-desktop`\n";
    assert_eq!(home.run(&[]), failed(2, none));
    fs::create_dir_all(home.path("home/.gemini")).unwrap();
    home.write("home/.cursor/mcp.json", "{}");
    let found = "error: name the hosts, such as `cli_server install cursor gemini`\n";
    assert_eq!(home.run(&[]), failed(2, found));
    assert_eq!(home.remove(&[]), printed("No host has an entry `cli-server`.\n"));
    assert_eq!(home.run(&["cursor"]).code, Some(0));
    let found = "error: name the hosts, such as `cli_server install --remove cursor`\n";
    assert_eq!(home.remove(&[]), failed(2, found));
}

#[test]
fn mistakes_in_the_options_are_errors() {
    let home = Home::new();
    for (arguments, expected) in [
        (&["curser"][..], "a similar value exists: 'cursor'"),
        (&["cursor", "--name", "a b"], "a name has 1 to 64 letters (A to Z), digits, `-` and `_`"),
        (&["cursor", "--env", "A"], "expected NAME=VALUE, such as `LOG_LEVEL=debug`"),
        (&["cursor", "--env", "1=x"], "a variable has a name of letters"),
        (&["cursor", "--url", "example.com"], "not a URL of HTTP; write it like `https://example.com/mcp`"),
        (&["cursor", "--url", "https://x", "--env", "A=1"], "cannot be used with"),
        (&["cursor", "--env", "A=1", "--secret", "A"], "error: the variable `A` is given twice"),
        (&["zed", "--print", "--dry-run"], "cannot be used with"),
    ] {
        let ran = home.run(arguments);
        assert!(ran.code == Some(2) && ran.errors.contains(expected), "{arguments:?}: {ran:?}");
    }
    let ran = home.run(&["zed", "--project"]);
    assert_eq!(ran, failed(1, "error: Zed has no file for a project; leave out `--project`\n"));
    assert_eq!(fs::read_dir(home.path("home")).unwrap().count(), 0);
}

#[test]
fn the_flags_of_the_program_are_part_of_the_entry() {
    let home = Home::new();
    fs::create_dir_all(home.path("home/.cursor")).unwrap();
    let ran =
        home.run_program("cli_flags", &["--greeting", "Moin", "install", "cursor", "--allow-debug", "--", "stdio"]);
    assert_eq!((ran.code, &*ran.errors), (Some(0), ""), "{ran:?}");
    let file: Value = serde_json::from_str(&home.read("home/.cursor/mcp.json")).unwrap();
    let entries: Vec<_> = file["mcpServers"].as_object().unwrap().values().collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0]["args"], json!(["--greeting", "Moin", "stdio"]));
    // A host starts the program elsewhere.
    let ran = home.run_program("cli_flags", &["--greeting=.", "install", "cursor", "--allow-debug"]);
    let expected = "warning: a host can start the program in another folder: write `.` as an absolute path\n";
    assert_eq!((ran.code, &*ran.errors), (Some(0), expected));
}

#[cfg(unix)]
#[test]
fn asks_which_of_the_hosts_get_the_entry() {
    use crate::cli::terminal::{DOWN, ENTER, ESC, Terminal};

    let home = Home::new();
    home.write("home/.cursor/mcp.json", "{}");
    home.write("home/.gemini/settings.json", "{}");
    let variables = home.variables();
    let mut terminal = Terminal::start_with(&["install", "--allow-debug"], &variables);
    terminal.sees("? Add `cli-server` to:\n> [ ] Cursor\n  [ ] Gemini CLI").press(ENTER);
    terminal.sees("# press Space to choose a host, or Esc to change nothing").press(DOWN).press(" ");
    terminal.sees("> [x] Gemini CLI").press(ENTER);
    let ran = terminal.ends();
    assert!(ran.result().starts_with("Gemini CLI: added `cli-server` to "), "{ran:?}");
    assert_eq!(home.read("home/.cursor/mcp.json"), "{}");
    let mut terminal = Terminal::start_with(&["install", "--remove"], &variables);
    terminal.sees("? Remove `cli-server` from:\n> [ ] Gemini CLI").press(ESC);
    let ran = terminal.ends();
    assert_eq!((ran.code, &*ran.output), (Some(0), ""));
    assert!(home.read("home/.gemini/settings.json").contains("cli-server"));
}
