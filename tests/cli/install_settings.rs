//! `install` for a program with settings: it asks for those that lack a value, and no output shows a secret.

use serde_json::{Value, json};

use crate::cli::{
    installs::Home,
    program::{Ran, failed},
};

/// Too large for a card.
const SECRET: &str = "4711471147";
/// All settings that the server needs, except for its secret.
const GIVEN: [&str; 8] = [
    "--env=LIB_READER=ann",
    "--env=LIB_BOOKS=/books",
    "--env=LIB_LIMIT=3",
    "--env=LIB_BRANCH=river",
    "--name",
    "books",
    "--allow-debug",
    "--",
];

impl Home {
    /// Runs `install` for a host. All settings are given, except for the secret.
    fn install(&self, arguments: &[&str]) -> Ran {
        self.run_program("cli_install", &[&["install"], arguments, &GIVEN].concat())
    }

    fn json(&self, file: &str) -> Value {
        serde_json::from_str(&self.read(file)).unwrap()
    }
}

#[test]
fn a_secret_is_a_reference_where_the_host_knows_one() {
    let home = Home::new();
    home.write("home/.cursor/mcp.json", "{}");
    let ran = home.install(&["cursor"]);
    let told = "  secret `LIB_CARD` (The number of the library card): set this variable in the environment of Cursor, which \
                passes it on\n";
    assert!(ran.result().contains(told) && ran.errors.is_empty(), "{ran:?}");
    let expected = json!({
        "LIB_READER": "ann", "LIB_BOOKS": "/books", "LIB_LIMIT": "3", "LIB_BRANCH": "river", "LIB_CARD": "${env:LIB_CARD}",
    });
    assert_eq!(home.json("home/.cursor/mcp.json")["mcpServers"]["books"]["env"], expected);
    // Neither would the command of a host have the secret.
    let ran = home.install(&["codex"]);
    assert!(
        ran.result().contains("set it in the environment of Codex") && !ran.output.contains("codex mcp add"),
        "{ran:?}"
    );
}

#[test]
fn vscode_asks_with_the_description_of_the_setting() {
    let home = Home::new();
    let ran = home.install(&["vscode", "--project"]);
    assert!(
        ran.result().contains("(The number of the library card): VS Code asks for its value and keeps it\n"),
        "{ran:?}"
    );
    let file = home.json("project/.vscode/mcp.json");
    let input = json!({
        "type": "promptString", "id": "books-LIB_CARD", "description": "The number of the library card", "password": true,
    });
    assert_eq!(file["inputs"], json!([input]));
    // The token is optional, and has its description, too.
    home.install(&["vscode", "--project", "--secret=LIB_TOKEN"]);
    let file = home.json("project/.vscode/mcp.json");
    let descriptions: Vec<_> = file["inputs"].as_array().unwrap().iter().map(|input| &input["description"]).collect();
    assert_eq!(descriptions, ["The number of the library card", "The token of the catalogue"]);
}

#[test]
fn without_a_terminal_one_error_lists_everything_that_is_missing() {
    let home = Home::new();
    let expected = "error: the server needs more than the entry has:
  - the setting `reader` (Who borrows books): add `--env LIB_READER=VALUE`, or `--reader VALUE` before `install`
  - the setting `books` (The folder of the books): add `--env LIB_BOOKS=VALUE`, or `--books VALUE` before `install`
  - the setting `branch` (The branch of the library): add `--env LIB_BRANCH=VALUE`, or `--branch VALUE` before `install`
  - the secret `LIB_CARD` (The number of the library card): Zed can have it in plain text only; add `--env LIB_CARD=VALUE`
";
    let arguments = ["--limit=3", "install", "cursor", "zed", "--allow-debug"];
    assert_eq!(home.run_program("cli_install", &arguments), failed(2, expected));
    assert_eq!(std::fs::read_dir(home.path("home")).unwrap().count(), 0, "nothing is written");
}

#[test]
fn a_value_that_the_server_would_reject_is_rejected() {
    let home = Home::new();
    let secret = format!("--env=LIB_CARD={SECRET}");
    let ran = home.run_program("cli_install", &["install", "cursor", "--allow-debug", "--env=LIB_LIMIT=many", &secret]);
    let expected = "error: the settings cannot be read:
  - `LIB_LIMIT` is `many`, not a whole number from 0 to 255
  - `LIB_CARD` is not a whole number from 0 to 4294967295; its value is a secret and is not shown
";
    assert_eq!(ran, failed(2, expected));
}

#[test]
fn a_secret_that_the_user_has_given_is_in_the_file_and_in_no_output() {
    const CARD: &str = "471147114";
    let hides = |ran: &Ran| assert!(ran.code == Some(0) && !format!("{ran:?}").contains(CARD), "{ran:?}");
    let home = Home::new();
    let given = format!("--env=LIB_CARD={CARD}");
    for host in ["zed", "cursor", "codex", "goose", "vscode", "claude-code"] {
        let print = home.install(&[host, &given, "--print"]);
        hides(&print);
        assert!(print.output.contains("***"), "{print:?}");
        for arguments in [&[host, &given, "--dry-run"][..], &[host, &given], &[host, &given]] {
            hides(&home.install(arguments));
        }
        // The old value is not shown either.
        let other = home.install(&[host, "--env=LIB_CARD=1", "--dry-run"]);
        hides(&other);
        assert!(other.output.contains("the value of a secret, which is not shown"), "{other:?}");
        let remove = ["install", "--remove", host, "--name", "books"];
        hides(&home.run_program("cli_install", &[&remove[..], &["--dry-run"]].concat()));
        let file = home.run_program("cli_install", &remove);
        hides(&file);
    }
    hides(&home.install(&[&given, "--links"]));
    home.install(&["zed", &given]);
    let file = home.json("home/.config/zed/settings.json");
    if cfg!(target_os = "linux") {
        assert_eq!(file["context_servers"]["books"]["env"]["LIB_CARD"], CARD);
    }
}

#[cfg(unix)]
#[test]
fn asks_for_the_settings_that_lack_a_value() {
    use crate::cli::terminal::{BACKSPACE, DOWN, ENTER, Terminal};

    let home = Home::new();
    home.write("home/.cursor/mcp.json", "{}");
    let mut variables = home.variables();
    // What the terminal has is offered.
    variables.push(("LIB_READER", "an".to_owned()));
    let arguments = ["install", "cursor", "zed", "--allow-debug"];
    let mut terminal = Terminal::start_program("cli_install", &arguments, &variables);
    terminal.sees("? reader: an\n[Who borrows books. The entry gets it as `LIB_READER`]").press("n").press(ENTER);
    terminal.sees("? books:\n[The folder of the books. The entry gets it as `LIB_BOOKS`]").press(ENTER);
    terminal.sees("# needs a value").press("~/my books").press(ENTER);
    terminal
        .sees("? limit:\n[How many books a reader can have. The entry gets it as `LIB_LIMIT`]")
        .press("333")
        .press(ENTER);
    terminal.sees("# not a whole number from 0 to 255").press(BACKSPACE).press(ENTER);
    terminal.sees("? Branch:\n> North\n  By the river").press(DOWN).press(ENTER);
    terminal
        .sees("? card:\n[The number of the library card. Zed can have it in plain text only; what you type is hidden]");
    terminal.press("x").press(ENTER).sees("# not a whole number from 0 to 4294967295").press(BACKSPACE);
    terminal.press("4711").press(ENTER);
    let ran = terminal.ends();
    assert!(ran.code == Some(0) && !format!("{ran:?}").contains("4711"), "{ran:?}");
    assert!(ran.output.contains("secret `LIB_CARD` (The number of the library card): the file contains its value"));
    let books = home.path("home/my books").display().to_string();
    let given = |card: &str| json!({ "LIB_READER": "ann", "LIB_BOOKS": books, "LIB_LIMIT": "33", "LIB_BRANCH": "river", "LIB_CARD": card });
    assert_eq!(home.json("home/.cursor/mcp.json")["mcpServers"]["library"]["env"], given("${env:LIB_CARD}"));
    if cfg!(target_os = "linux") {
        assert_eq!(home.json("home/.config/zed/settings.json")["context_servers"]["library"]["env"], given("4711"));
    }
}

#[cfg(unix)]
#[test]
fn a_secret_of_the_environment_is_written_only_if_the_user_agrees() {
    use crate::cli::terminal::{ENTER, ESC, Terminal};

    let home = Home::new();
    let mut variables = home.variables();
    variables.push(("LIB_CARD", "4711".to_owned()));
    let arguments = [&["install", "claude-desktop"][..], &GIVEN].concat();
    let question = "? Write the value of your variable `LIB_CARD` into the file? (y/N)";
    let mut terminal = Terminal::start_program("cli_install", &arguments, &variables);
    terminal.sees(&format!("{question}\n[Claude Desktop can have it in plain text only]")).press("n").press(ENTER);
    terminal.sees("? card:").press(ESC);
    let ran = terminal.ends();
    assert_eq!((ran.code, &*ran.output), (Some(0), ""), "{ran:?}");
    assert_eq!(std::fs::read_dir(home.path("home")).unwrap().count(), 0, "nothing is written");
    let mut terminal = Terminal::start_program("cli_install", &arguments, &variables);
    terminal.sees(question).press("y").press(ENTER);
    let ran = terminal.ends();
    assert!(
        ran.result().starts_with("Claude Desktop: added `books`") && !format!("{ran:?}").contains("4711"),
        "{ran:?}"
    );
}
