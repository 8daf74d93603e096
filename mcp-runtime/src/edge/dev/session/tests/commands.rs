//! The forms in which a call leaves the page.

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::json;

use super::{
    super::{NewCall, api::fault::DevFault, as_test},
    MODERN, Tried, setup, tool_request,
};
use crate::edge::dev::target::TransportKind;

#[tokio::test]
async fn a_command_line_repeats_the_call() {
    let tried = Tried::new();
    let id = tried.call(MODERN, "send_money", &json!({ "to": "Ada O'Hara" }), None);
    let question = tried.question(&id).await;
    tried.accept(&id, &question, &json!({ "confirmed": true }));
    tried.ended(&id).await;
    let commands = tried.session.commands(&id).unwrap();
    let expected = r#"bank call send_money --to 'Ada O'\''Hara' --answer 'confirm={"confirmed":true}'"#;
    assert_eq!(commands.cli, expected);
    assert_eq!(commands.curl, None, "the call was not made over HTTP");
}

#[tokio::test]
async fn an_input_has_the_command_line_of_its_call() {
    let tried = Tried::new();
    let arguments = json!({ "to": "Ada O'Hara" });
    let answers = json!([
        { "key": "confirm", "action": "accept", "content": { "confirmed": true } },
        { "action": "reply", "text": "it names no question" },
    ]);
    let answers = serde_json::from_value(answers).unwrap();
    let mut new =
        NewCall { request: tool_request("send_money", &arguments), setup: setup(MODERN), fault: None, answers };
    let before = tried.session.commands_of_input(&new).unwrap();
    assert_eq!(before.curl, None, "the call would not be made over HTTP");
    let id = tried.session.call(new.clone()).unwrap().id;
    tried.ended(&id).await;
    assert_eq!(before.cli, tried.session.commands(&id).unwrap().cli);
    new.setup.transport = TransportKind::Http;
    let curl = tried.session.commands_of_input(&new).unwrap().curl.unwrap();
    assert!(curl.starts_with("curl -sS http://127.0.0.1:1/mcp"), "{curl}");
    assert_eq!(tried.session.calls().len(), 1, "the commands call nothing");
}

#[tokio::test]
async fn a_shell_reads_the_words_of_a_command_line() {
    let tried = Tried::new();
    let arguments = json!({ "a": "x y", "b": true, "c": false, "d": -1, "e": ["1", "-2"], "f": "", "g": "$HOME `id`" });
    let id = tried.call(MODERN, "count", &arguments, None);
    let line = tried.session.commands(&id).unwrap().cli;
    let line = line.replacen("bank", "printf '%s\\n'", 1);
    let output = Command::new("sh").args(["-c", &line]).output().unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    let expected = [
        "call",
        "count",
        "--a",
        "x y",
        "--b",
        "--c=false",
        "--d=-1",
        "--e",
        "1",
        "--e=-2",
        "--f=",
        "--g",
        "$HOME `id`",
    ];
    assert_eq!(words.lines().collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_call_becomes_a_test() {
    let tried = Tried::new();
    let (id, question) = tried.transfer(MODERN, Some(DevFault::LoseReply)).await;
    assert!(tried.session.as_test(&id).await.is_err(), "the call has not ended");
    tried.accept(&id, &question, &json!({ "confirmed": true }));
    let call = tried.ended(&id).await;
    let (path, source) = as_test::write("bank", &call);
    assert_eq!(path, "tests/send_money_when_replies_are_lost.rs");
    let expected = r#"//! `send_money`, as it was called on the development page. Needs the feature `testing` of `mcp-runtime`.

use std::process::Command;

use mcp_runtime::testing::{Client, Fault};
use serde_json::json;

#[tokio::test]
async fn send_money_when_replies_are_lost() {
    let mut client = Client::process(Command::new(env!("CARGO_BIN_EXE_bank")))
        .revision(mcp_runtime::Revision::V2026_07_28)
        .fault(Fault::RepliesLost);
    let outcome = client
        .call("send_money", json!({ "to": "Ada" }))
        .answer(json!({ "action": "accept", "content": { "confirmed": true } }))
        .await;
    assert!(!outcome.is_error());
    assert_eq!(outcome.text(), "sent to Ada");
}
"#;
    assert_eq!(source, expected);
    assert_eq!(by_rustfmt(&source), source);
}

#[tokio::test]
async fn a_short_call_stays_on_a_line_as_rustfmt_has_it() {
    let tried = Tried::new();
    let id = tried.call(MODERN, "greet", &json!({ "name": "Ann" }), None);
    tried.ended(&id).await;
    let (_, source) = as_test::write("bank", &tried.session.find(&id).unwrap());
    assert!(
        source.contains("    let outcome = client.call(\"greet\", json!({ \"name\": \"Ann\" })).await;\n"),
        "{source}"
    );
    assert_eq!(by_rustfmt(&source), source);
    let configured = as_test::formatted(source.clone()).await;
    assert!(configured.contains("greet") && as_test::formatted("no code }".to_owned()).await == "no code }");
}

/// Formats a source as `rustfmt` does without a configuration.
fn by_rustfmt(source: &str) -> String {
    let mut rustfmt = Command::new("rustfmt");
    let rustfmt = rustfmt.args(["--edition", "2024", "--config", "max_width=100,use_small_heuristics=Default"]);
    let mut child = rustfmt.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}
