//! `--answer`: questions of a tool, answered where there is no terminal.

use crate::program::{Ran, failed, printed, run};

#[test]
fn a_question_is_answered_beforehand() {
    let whole = r#"pick_flight={"flight_id":"TP1","day":"2026-02-03","extras":["aisle"]}"#;
    let answered = "PickFlight { flight_id: \"TP1\", seats: 2, day: \"2026-02-03\", seat: None, \
                    extras: MultiSelect([Aisle]), newsletter: false, note: None }";
    assert_eq!(run(["call", "book", "--answer", whole]).result(), answered);
    for (answer, expected) in [
        ("confirm=true", "Confirm { sure: true }"),
        (r#"confirm={"sure":false}"#, "Confirm { sure: false }"),
        ("confirm=decline", "declined"),
        ("confirm=cancel", "cancelled"),
    ] {
        assert_eq!(run(["call", "wipe", "--answer", answer]).result(), expected, "{answer}");
        assert_eq!(run(["call", "--answer", answer, "wipe"]).result(), expected, "{answer}");
    }
    let pair = ["call", "pair", "--answer", "name=Ann", "--answer", "name#2=007", "--answer", "confirm=true"];
    assert_eq!(run(pair).result(), "Ann and 007: true");
}

#[test]
fn a_page_to_be_opened_is_shown() {
    let shown = "Connect your calendar.\n\n  https://example.com/connect?id=1\n\n";
    let accepted = Ran { errors: shown.to_owned(), ..printed("connected\n") };
    assert_eq!(run(["call", "connect", "--answer", "connect=accept"]), accepted);
    assert_eq!(run(["call", "connect", "--answer", "connect=decline"]), failed(1, "error: the user declined\n"));
}

#[test]
fn without_a_terminal_and_an_answer_nothing_is_asked() {
    let errors = "\
error: The tool `wipe` needs a client that supports form elicitation

Call it where standard input and standard error are a terminal, or answer its questions with `--answer KEY=JSON`; for \
what it asks, try `cli_server tools wipe`
";
    assert_eq!(run(["call", "wipe"]), failed(1, errors));
}

#[test]
fn a_question_without_an_answer_ends_the_call_and_says_how_to_answer_it() {
    let errors = "\
warning: `--answer confrim=…` was not used: no such question was asked, only `confirm`; did you mean `confirm`?
error: `confirm` is asked, and nobody is there to answer: standard input or standard error is no terminal

  Delete everything?

  sure   boolean   Required. It cannot be undone.

Answer it with `--answer 'confirm={\"sure\":true}'`, or with `--answer confirm=decline` or `--answer confirm=cancel`
";
    assert_eq!(run(["call", "wipe", "--answer", "confrim=true"]), failed(1, errors));
    let misfit = run(["call", "wipe", "--answer", "confirm=perhaps"]);
    let reason = "error: `--answer confirm=perhaps`: expected `true` or `false`\n\n  Delete everything?\n";
    assert!(misfit.code == Some(1) && misfit.errors.starts_with(reason), "{misfit:?}");
}

#[test]
fn an_answer_the_server_refuses_is_not_given_again() {
    let arguments = ["call", "pair", "--answer", "name=A", "--answer", "name#2=Bob", "--answer", "confirm=true"];
    let refused = run(arguments);
    let reason = "\
error: `name` is asked again, and its `--answer` was used

  Who are you?

  The last answer did not fit:
  - `name`: got \"A\" (1 character), must have at least 2 characters
";
    assert!(refused.code == Some(1) && refused.errors.contains(reason), "{}", refused.errors);
    // Unless there is another one.
    let again = [
        "call",
        "pair",
        "--answer",
        "name=A",
        "--answer",
        "name#2=Bob",
        "--answer",
        "name=Ann",
        "--answer",
        "confirm=true",
    ];
    assert_eq!(run(again).result(), "Ann and Bob: true");
}
