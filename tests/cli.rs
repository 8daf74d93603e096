//! A server's program at the command line: what it writes where, and its exit code.
//!
//! The server is `cli/server.rs`, as a real process.

#![allow(clippy::needless_pass_by_value, reason = "`json!` makes values")]

use std::{
    io::Write,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
    sync::OnceLock,
};

use serde_json::{Value, json};

/// How a run of the program ended.
#[derive(Debug, PartialEq)]
struct Ran {
    code: Option<i32>,
    output: String,
    errors: String,
}

/// Runs the program with these arguments.
fn run<const N: usize>(arguments: [&str; N]) -> Ran {
    ended(program("cli_server").args(arguments).stdin(Stdio::null()).output().unwrap())
}

/// Runs it with this on standard input.
fn run_with(arguments: &[&str], input: &str) -> Ran {
    let mut command = program("cli_server");
    let child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    ended(child.wait_with_output().unwrap())
}

fn ended(Output { status, stdout, stderr }: Output) -> Ran {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: status.code(), output: text(stdout), errors: text(stderr) }
}

fn printed(output: &str) -> Ran {
    Ran { code: Some(0), output: output.to_owned(), errors: String::new() }
}

fn failed(code: i32, errors: &str) -> Ran {
    Ran { code: Some(code), output: String::new(), errors: errors.to_owned() }
}

#[test]
fn help_and_version_name_the_server() {
    let help = run(["--help"]);
    assert_eq!((help.code, help.errors.as_str()), (Some(0), ""));
    let start = "A server for a command line\n\nSay something before you count.\n\nUsage: cli_server [COMMAND]\n";
    assert!(help.output.starts_with(start), "{}", help.output);
    for command in ["stdio", "tools", "manifest", "call"] {
        assert!(help.output.contains(&format!("\n  {command} ")), "{}", help.output);
    }
    assert_eq!(run(["--version"]), printed("cli-server 1.2.3\n"));
    let mistaken = run(["tols"]);
    assert_eq!(mistaken.code, Some(2));
    assert!(mistaken.errors.contains("tip: a similar subcommand exists: 'tools'"), "{}", mistaken.errors);
}

#[test]
fn tools_are_shown_in_a_table() {
    assert_eq!(
        run(["tools"]),
        printed(
            "\
TOOL     WHAT IT DOES                    PARAMETERS                     HINTS
say      Say something.                  text*, times, voice,           read-only, idempotent,
                                         in_reverse                     closed world
sum      Add numbers up.                 numbers*, budget               read-only
count    Count slowly, and tell how      to*, pause_ms
         far it is.
block    Keep the thread busy, without   seconds*
         a pause.
show     Show one of everything.                                        read-only
repeat   Repeat what came, as it came.   json, help, log                read-only
fall     Panic.

* required. All about a tool: `cli_server tools TOOL`. Call it: `cli_server call TOOL`.
"
        )
    );
}

#[test]
fn a_tool_has_a_page() {
    let page = "\
say: Say it

Say something. It is said as often as you like, but no more than nine times.

The voice changes the letters.

Usage:
  cli_server call say --text <string> [--PARAMETER VALUE]…
  cli_server call say JSON

Parameters:
  --text <string>     Required. What to say.
  --times <integer>   How often. From 1 to 9. Default: 1.
  --voice <string>    How loud. One of: normal, loud. Default: normal.
  --in_reverse        Say it backwards.

Options:
  JSON            All arguments as one JSON object; `-` reads it from standard input
  --json          Print the whole result as JSON
  --log <level>   Show log messages from this level up, or `off`. Default: info
  -h, --help      Print this page

Hints: read-only, idempotent, closed world.
";
    assert_eq!(run(["tools", "say"]), printed(page));
    assert_eq!(run(["call", "say", "--help"]), printed(page));
    let sum = run(["tools", "sum"]).output;
    let result = "\
Result:
  numbers   number…   The numbers as they came.
  total     number    All of them together.
  left      number    What is left of the budget, if there was one.
";
    assert!(sum.contains(result), "{sum}");
}

#[test]
fn the_manifest_is_json() {
    let manifest = run(["manifest"]);
    let published: Value = serde_json::from_str(&manifest.output).unwrap();
    assert_eq!(published["server"]["version"], "1.2.3");
    assert_eq!(published["tools"].as_array().unwrap().len(), 7);
    assert_eq!(manifest, printed(&format!("{published:#}\n")));
}

#[test]
fn parameters_are_given_as_options_or_as_json() {
    for arguments in [
        &["--text", "ab", "--times", "2"] as &[&str],
        &["--text=ab", "--times=2"],
        &[r#"{ "text": "ab", "times": 2 }"#],
        &["--text", "ba", "--times", "2", "--in_reverse"],
        &["--times", "2", "--in-reverse", "--text", "ba"],
        &["--in-reverse=false", "--text", "ab", "--times", "2", "--voice", "normal"],
    ] {
        let ran = ended(program("cli_server").args(["call", "say"]).args(arguments).output().unwrap());
        assert_eq!(ran, printed("ab\nab\n"), "{arguments:?}");
    }
    assert_eq!(run_with(&["call", "say", "-"], r#"{"text":"from a pipe"}"#), printed("from a pipe\n"));
    assert_eq!(run(["call", "say", "--text", "--times"]), printed("--times\n"));
    // What is text stays text.
    assert_eq!(run(["call", "say", "--text", "007"]), printed("007\n"));
    let sum = printed("{ \"numbers\": [1.0, -2.5], \"total\": -1.5, \"left\": 3.5 }\n");
    assert_eq!(run(["call", "sum", "--numbers", "1", "--numbers", "-2.5", "--budget", "2"]), sum);
    assert_eq!(run(["call", "sum", "--numbers", "[1, -2.5]", "--budget", "2"]), sum);
}

#[test]
fn a_parameter_may_have_the_name_of_an_option() {
    let repeated = |ran: Ran| (ran.code, serde_json::from_str::<Value>(&ran.output).unwrap());
    let plain = repeated(run(["call", "repeat", "--json", "--help", "me", "--log", "[1]"]));
    assert_eq!(plain, (Some(0), json!({ "json": true, "help": "me", "log": [1] })));
    let whole = repeated(run(["call", "--json", "repeat"]));
    assert_eq!(whole.1["structuredContent"], json!({ "json": false, "help": "", "log": null }));
}

#[test]
fn mistakes_on_the_command_line_are_told_before_anything_is_called() {
    let more = "\n\nFor more information, try '--help'.\n";
    let usage = "\n\nUsage: cli_server call say --text <string> [JSON]";
    for (arguments, errors) in [
        (
            &["say"] as &[&str],
            format!("the following required arguments were not provided:\n  --text <string>{usage}{more}"),
        ),
        (
            &["say", "--txt", "a"],
            format!("unexpected argument '--txt' found\n\n  tip: a similar argument exists: '--text'{usage}{more}"),
        ),
        (
            &["say", "--text", "a", "--times", "often"],
            format!("invalid value 'often' for '--times <integer>': expected an integer{more}"),
        ),
        (
            &["say", "--text", "a", "--voice", "soft"],
            format!("invalid value 'soft' for '--voice <string>': expected one of `normal`, `loud`{more}"),
        ),
        (
            &["say", "hello"],
            format!(
                "invalid value 'hello' for '[JSON]': expected a JSON object; did you mean `--text <string>`?{more}"
            ),
        ),
        (
            &["say", "--text", "a", "{}"],
            format!("the argument '--text <string>' cannot be used with '[JSON]'{usage}{more}"),
        ),
        (
            &["sya"],
            "there is no tool `sya`; did you mean `say`?\n\nTools: say, sum, count, block, show, repeat, fall\n"
                .to_owned(),
        ),
    ] {
        let ran = ended(program("cli_server").arg("call").args(arguments).output().unwrap());
        assert_eq!(ran, failed(2, &format!("error: {errors}")), "{arguments:?}");
    }
    assert_eq!(run_with(&["call", "say", "-"], "[]"), failed(2, "error: standard input: expected a JSON object\n"));
    assert_eq!(run(["tools", "sya"]).code, Some(2));
}

#[test]
fn a_failed_call_has_an_exit_code_of_its_own() {
    assert_eq!(
        run(["call", "say", "--text", "a", "--times", "10"]),
        failed(1, "error: invalid arguments for `say`:\n- `times`: got 10, must be between 1 and 9 (How often)\n")
    );
    assert_eq!(
        run(["call", "sum", "--numbers", "2", "--budget", "1"]),
        failed(1, "error: the numbers are more than the budget\n")
    );
    let whole = run(["call", "sum", "--numbers", "2", "--budget", "1", "--json"]);
    let result: Value = serde_json::from_str(&whole.output).unwrap();
    assert_eq!((whole.code, &result["isError"], whole.errors.as_str()), (Some(1), &json!(true), ""));
    let fallen = run(["call", "fall"]);
    assert_eq!((fallen.code, fallen.output.as_str()), (Some(1), ""));
    assert!(fallen.errors.ends_with("error: internal error: the tool `fall` panicked\n"), "{}", fallen.errors);
}

#[test]
fn only_the_result_is_on_standard_output() {
    let counted = |errors: &str| Ran { errors: errors.to_owned(), ..printed("counted to 6\n") };
    assert_eq!(run(["call", "count", "--to", "6"]), counted("warning: 5 ends in five\n"));
    let all = counted("debug: about to count\nwarning: 5 ends in five\n");
    assert_eq!(run(["call", "--log", "debug", "count", "--to", "6"]), all);
    assert_eq!(run(["call", "count", "--to", "6", "--log", "off"]), counted(""));
    assert_eq!(
        run(["call", "show"]),
        printed(
            "A picture:\n[image/png, 12 KB]\n[audio/wav, 700 bytes]\n[a page: https://example.com/a]\n\
             [file:///notes, text/plain, 10 bytes]\n"
        )
    );
}

#[test]
fn the_whole_result_is_what_a_client_gets() {
    let whole: Value = serde_json::from_str(&run(["call", "say", "--text", "a", "--json"]).output).unwrap();
    let server = json!({ "name": "cli-server", "title": "A server for a command line", "version": "1.2.3" });
    assert_eq!(
        whole,
        json!({
            "resultType": "complete",
            "content": [{ "type": "text", "text": "a" }],
            "_meta": { "io.modelcontextprotocol/serverInfo": server },
        })
    );
}

#[test]
fn without_a_command_a_client_is_served() {
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let pong = printed("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
    assert_eq!(run_with(&[], ping), pong);
    assert_eq!(run_with(&["stdio"], ping), pong);
}

#[test]
fn a_server_that_cannot_be_built_says_why() {
    let missing = "error: the server cannot be built: tool `count`: takes `&cli_server::Start`, and the server has none; \
                   add `.state(…)` with a `cli_server::Start`\n";
    for command in ["stdio", "tools"] {
        let ran = program("cli_server").arg(command).env("WITHOUT_STATE", "1").stdin(Stdio::null()).output().unwrap();
        assert_eq!(ended(ran), failed(2, missing));
    }
}

#[test]
fn the_examples_answer_at_the_terminal() {
    let call = |example: &str, arguments: &[&str]| {
        ended(program(example).arg("call").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap())
    };
    assert_eq!(call("hello", &["greet", "--name", "World"]), printed("Hello, World!\n"));
    let found = call("flights", &["search_flights", "--destination", "OSL", "--max-price", "120", "--limit", "2"]);
    let flights: Value = serde_json::from_str(&found.output).unwrap();
    assert_eq!((found.code, flights["flights"].as_array().unwrap().len()), (Some(0), 2));
    let unknown = call("flights", &["search_flights", "--destination", "OSLO"]);
    assert_eq!(unknown, failed(1, "error: no airport `OSLO`; did you mean `OSL` (Oslo)?\n"));
    let tree = "examples/code_search/fixture";
    let search = call("code_search", &["search", "--pattern", "fn mean", "--path", tree, "--globs", "*.rs"]);
    assert_eq!(search.code, Some(0), "{}", search.errors);
    assert!(search.output.contains("average.rs"), "{}", search.output);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let text = "many words ".repeat(10_000);
    let mut child = spawn(&["call", "say", "--text", &text, "--times", "9"]);
    drop(child.stdout.take());
    assert_eq!(ended(child.wait_with_output().unwrap()), printed(""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let ran = ended(program("cli_server").arg("manifest").stdout(full).output().unwrap());
    assert_eq!(ran, failed(2, "error: cannot write to standard output: No space left on device (os error 28)\n"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_cancels_the_call() {
    let child = spawn(&["call", "--log", "debug", "count", "--to", "1000", "--pause_ms", "100"]);
    interrupt(child, &[("debug: about to count", true), ("cancelled", false)]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_even_a_program_whose_tool_never_pauses() {
    let child = spawn(&["call", "block", "--seconds", "60"]);
    let still_busy = "the tool is still busy; Ctrl-C again ends the program at once";
    interrupt(child, &[("info: busy", true), ("cancelled", false), (still_busy, true)]);
}

/// Reads these lines, and presses Ctrl-C after some of them.
#[cfg(unix)]
fn interrupt(mut child: Child, lines: &[(&str, bool)]) {
    use std::io::{BufRead, BufReader};

    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    for (line, press) in lines {
        assert_eq!(errors.next().unwrap().unwrap(), *line);
        if *press {
            assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        }
    }
    assert_eq!(ended(child.wait_with_output().unwrap()), failed(130, ""));
    assert!(errors.next().is_none());
}

fn spawn(arguments: &[&str]) -> Child {
    let mut command = program("cli_server");
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The program made from this example: built now, unless it is up to date.
fn program(example: &str) -> Command {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        let status = cargo.args(["build", "--quiet", "--examples"]).current_dir(env!("CARGO_MANIFEST_DIR")).status();
        assert!(status.unwrap().success(), "the examples do not build");
    });
    // This test runs from `target/debug/deps`.
    let directory: PathBuf = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().join("examples");
    let mut command = Command::new(directory.join(example).with_extension(std::env::consts::EXE_EXTENSION));
    command.env("RUST_BACKTRACE", "0").env("NO_COLOR", "1");
    command
}
