//! Tools that ask a model, without a terminal, and how they are described.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::cli::program::{Ran, ended, failed, printed, program, run};

fn run_with_model<const N: usize>(arguments: [&str; N]) -> Ran {
    ended(program("cli_server").args(arguments).env("WITH_MODEL", "1").stdin(Stdio::null()).output().unwrap())
}

#[test]
fn asks_the_provider_if_there_is_one() {
    assert_eq!(run_with_model(["call", "picture"]), printed("What is\nthis?\n"));
    assert_eq!(run_with_model(["call", "news"]), printed("Say it shorter: nothing is new\n"));
    assert_eq!(run_with_model(["call", "agent"]), printed("done\n"));
}

#[test]
fn names_the_options_if_no_model_is_available() {
    let errors = "\
error: The tool `picture` needs a client that supports sampling

Connect standard input and standard error to a terminal, or answer the questions in advance:
  --answer sample=TEXT   # the reply of a model, to any question
If a key is asked twice, give the option twice. `KEY=decline` and `KEY=cancel` are also answers. For \
more, try `cli_server tools picture`
To let a model answer, add a provider to the server with `.sampling_provider(…)`.
";
    assert_eq!(run(["call", "picture"]), failed(1, errors));
    let errors = "\
error: The tool `agent` needs a client that supports sampling with tools

To let a model answer, add a provider to the server with `.sampling_provider(…)`.
";
    assert_eq!(run(["call", "agent"]), failed(1, errors));
    assert_eq!(run(["call", "agent", "--answer", "sample=x"]).code, Some(1));
    // A tool with optional sampling continues without it.
    assert_eq!(run(["call", "news"]), printed("nothing is new (the client does not support sampling)\n"));
}

#[test]
fn accepts_a_reply_in_advance() {
    assert_eq!(run(["call", "picture", "--answer", "sample=A cat."]), printed("A cat.\n"));
    assert_eq!(run(["call", "picture", "--answer", "sample=\"decline\""]), printed("decline\n"));
    let tries = ["call", "choose", "--answer", "sample=Cell 5!", "--answer", "sample/2={\"cell\": 5}"];
    assert_eq!(run(tries), printed("5 in 2 tries\n"));
    // Tries are questions of one key, too.
    let tries = ["call", "choose", "--answer", "sample=Cell 5!", "--answer", "sample={\"cell\": 5}"];
    assert_eq!(run(tries), printed("5 in 2 tries\n"));
    let none = printed("nothing is new (the client was asked three times and sent no answer)\n");
    assert_eq!(run(["call", "news", "--answer", "sample=decline"]), none);
}

#[test]
fn the_key_sample_answers_any_question_to_a_model() {
    let play = |answers: &[&str]| {
        let mut play = program("play_ttt");
        play.args(["call", "play_ttt", "--user_plays", "X"]).stdin(Stdio::null());
        ended(play.args(answers.iter().flat_map(|answer| ["--answer", answer])).output().unwrap())
    };
    // The key is `move`.
    let resigned = play(&["take_cell=1", r#"sample={"cell":5}"#, "take_cell=decline"]);
    assert_eq!((resigned.code, resigned.errors.as_str()), (Some(0), ""));
    assert!(resigned.output.contains("resigned"), "{resigned:?}");
    assert_eq!(play(&["take_cell=1", r#"move={"cell":5}"#, "take_cell=decline"]), resigned);
    // What is advised where nothing is answered can be answered.
    let advice = play(&[]).errors;
    assert!(advice.contains("\n  --answer take_cell=…\n  --answer sample=TEXT   # the reply of a model"), "{advice}");
}

#[test]
fn a_tool_with_optional_sampling_does_not_fail_without_a_reply() {
    let book = |reply: &[&str]| {
        let mut flights = program("flights");
        flights.args([
            "call",
            "book_flight",
            "--destination",
            "HEL",
            "--date",
            "2026-12-04",
            "--answer",
            "confirm=true",
        ]);
        flights.args(["--answer", "pick_flight={\"flight_id\":\"AL143-04\"}"]).args(reply).stdin(Stdio::null());
        ended(flights.output().unwrap()).result().to_owned()
    };
    assert!(book(&[]).ends_with("The ticket is AL143-04/4."));
    let told = book(&["--answer", "sample=Have fun!"]);
    assert!(told.ends_with("The ticket is AL143-04/4.\n\nFor the traveller: Have fun!"), "{told}");
}

#[test]
fn shows_the_whole_question_if_a_reply_is_missing() {
    let errors = "\
error: `sample` is asked, and there is no `--answer` for it; standard input or standard error is not a terminal, so \
no user can answer

  System:
    You are brief.

  User:
    Do you know pictures?

  Assistant:
    I do.

  User:
    What is
    this?
    [image/png, 12 KB]

Reply with `--answer sample=TEXT`, or decline with `--answer sample=decline`; to let a model reply, add a provider to \
the server with `.sampling_provider(…)`
";
    let unused = "warning: `--answer smple=…` was not used: the tool asked no question with this key; did you mean \
                  `sample`? (keys of this tool: `sample`)\n";
    assert_eq!(run(["call", "picture", "--answer", "smple=x"]), failed(1, &format!("{unused}{errors}")));
}

#[test]
fn the_page_of_a_tool_names_required_capabilities() {
    let page = run(["tools", "picture"]).output;
    assert!(page.ends_with("\nHints: read-only. Needs a client that supports sampling.\n"), "{page}");
    let questions = "
Questions:
  sample: Any question to a model, whatever its key is.
    Such as: --answer sample=TEXT
";
    assert!(page.contains(questions), "{page}");
    assert_eq!(run(["call", "picture", "--help"]).output, page);
    // With a model of the server's own every client can call it, and is asked nothing.
    let page = run_with_model(["tools", "picture"]).output;
    assert!(page.ends_with("\nHints: read-only.\n") && !page.contains("--answer"), "{page}");
}

#[test]
fn the_manifest_lists_required_capabilities() {
    let needs = |manifest: &Ran| {
        let manifest: Value = serde_json::from_str(&manifest.output).unwrap();
        let tools = manifest["tools"].as_array().unwrap().iter();
        let tools =
            tools.filter(|tool| ["picture", "choose", "news", "agent"].contains(&tool["name"].as_str().unwrap()));
        tools.map(|tool| json!([tool["name"], tool["requires"], tool["optional"]])).collect::<Vec<_>>()
    };
    let sampling = json!({ "sampling": {} });
    let with_tools = json!({ "sampling": { "tools": {} } });
    let expected = [
        json!(["picture", sampling, null]),
        json!(["choose", sampling, null]),
        json!(["news", null, sampling]),
        json!(["agent", with_tools, null]),
    ];
    assert_eq!(needs(&run(["manifest"])), expected);
    let expected = [
        json!(["picture", null, sampling]),
        json!(["choose", null, sampling]),
        json!(["news", null, sampling]),
        json!(["agent", null, with_tools]),
    ];
    assert_eq!(needs(&run_with_model(["manifest"])), expected);
}
