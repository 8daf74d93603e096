//! `--answer`: answers questions of a tool without a terminal.

use crate::cli::program::{Ran, failed, printed, run};

#[test]
fn answers_a_question_in_advance() {
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
fn repeated_answers_of_one_key_are_used_in_order() {
    let pair = ["call", "pair", "--answer", "name=Ann", "--answer", "name=Bob", "--answer", "confirm=true"];
    assert_eq!(run(pair).result(), "Ann and Bob: true");
    let declined = run(["call", "place", "--answer", "take=a1", "--answer", "take=decline"]);
    assert_eq!(declined.result(), "a1 and declined");
    // An answer to `name#2` takes precedence over answers to `name`.
    let second = ["call", "pair", "--answer", "name#2=Bob", "--answer", "name=Ann", "--answer", "confirm=true"];
    assert_eq!(run(second).result(), "Ann and Bob: true");
    let missing = run(["call", "place", "--answer", "take=a1"]);
    let reason = "\
error: `take#2` is asked again, and no `--answer` is left for it; standard input or standard error is not a terminal, \
so no user can answer

  And beside a1?

  place   string   Required.

Answer it with `--answer take=…`, or with `--answer take=decline` or `--answer take=cancel`
";
    assert_eq!(missing, failed(1, reason));
}

#[test]
fn rejects_an_invalid_answer_before_the_call() {
    for (tool, answer, reason) in [
        ("wipe", "confirm=perhaps", "`sure`: expected `true` or `false`; write it like `--answer confirm=true`"),
        (
            "wipe",
            r#"confirm={"suer":true}"#,
            "there is no field `suer`; did you mean `sure`? (fields: `sure`); write it like `--answer confirm=true`",
        ),
        (
            "wipe",
            r#"confirm={"sure":"#,
            "expected a JSON object: it ends too early, after `{\"sure\":`; write it like `--answer confirm=true`",
        ),
        (
            "book",
            r#"pick_flight#2={"flight_id":"TP1","seats":"2"}"#,
            "`seats`: expected an integer; write it like `--answer \
             'pick_flight={\"flight_id\":\"…\",\"day\":\"…\",\"extras\":[\"window\"]}'`",
        ),
    ] {
        let refused = run(["call", tool, "--log", "off", "--answer", answer]);
        assert_eq!(refused, failed(2, &format!("error: `--answer {answer}`: {reason}\n")));
    }
}

#[test]
fn shows_choices_by_value_and_title() {
    let refused = run(["call", "place", "--answer", "take=c1"]);
    let reason = "\
error: `--answer take=c1`: `place`: expected one of `a1` (Front, left), `b1` (Front, right)

  Which place?

  place   string   Required. One of: a1 (Front, left), b1 (Front, right).

Answer it with `--answer take=a1`, or with `--answer take=decline` or `--answer take=cancel`
";
    assert_eq!(refused, failed(2, reason));
}

#[test]
fn shows_the_url_of_a_page() {
    let shown = "Connect your calendar.\n\n  https://example.com/connect?id=1\n\n";
    let accepted = Ran { errors: shown.to_owned(), ..printed("connected\n") };
    assert_eq!(run(["call", "connect", "--answer", "connect=accept"]), accepted);
    assert_eq!(run(["call", "connect", "--answer", "connect=decline"]), failed(1, "error: the user declined\n"));
}

#[test]
fn fails_without_a_terminal_and_an_answer() {
    let errors = "\
error: The tool `wipe` needs a client that supports form elicitation

Connect standard input and standard error to a terminal, or answer the questions in advance:
  --answer 'pick_flight={\"flight_id\":\"…\",\"day\":\"…\",\"extras\":[\"window\"]}'
  --answer confirm=true
  --answer name=…
If a key is asked twice, give the option twice. `KEY=decline` and `KEY=cancel` are also answers. For \
more, try `cli_server tools wipe`
";
    assert_eq!(run(["call", "wipe"]), failed(1, errors));
}

#[test]
fn a_question_without_an_answer_ends_the_call_and_says_how_to_answer_it() {
    let errors = "\
warning: `--answer confrim=…` was not used: the tool asked no question with this key; did you mean \
`confirm`? (keys of this tool: `pick_flight`, `confirm`, `name`)
error: `confirm` is asked, and there is no `--answer` for it; standard input or standard error is not a terminal, so \
no user can answer

  Delete everything?

  sure   boolean   Required. It cannot be undone.

Answer it with `--answer confirm=true`, or with `--answer confirm=decline` or `--answer confirm=cancel`
";
    assert_eq!(run(["call", "wipe", "--answer", "confrim=true"]), failed(1, errors));
}

#[test]
fn does_not_repeat_an_answer_that_the_server_rejects() {
    let arguments = ["call", "pair", "--answer", "name=A", "--answer", "name#2=Bob", "--answer", "confirm=true"];
    let refused = run(arguments);
    let reason = "\
error: the server rejected `--answer name=A`, and no other `--answer` is left

  Who are you?

  The last answer did not fit:
  - `name`: got \"A\" (1 character), must have at least 2 characters
";
    assert!(refused.code == Some(2) && refused.errors.contains(reason), "{}", refused.errors);
    // Unless there is a second one.
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
