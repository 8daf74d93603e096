//! `call`: arguments, results, exit codes.

use serde_json::{Value, json};

use crate::cli::program::{Ran, ended, failed, printed, program, run, run_with};

#[test]
fn accepts_parameters_as_options_or_json() {
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
    let sum = printed("{\n  \"numbers\": [\n    1.0,\n    -2.5\n  ],\n  \"total\": -1.5,\n  \"left\": 3.5\n}\n");
    assert_eq!(run(["call", "sum", "--numbers", "1", "--numbers", "-2.5", "--budget", "2"]), sum);
    assert_eq!(run(["call", "sum", "--numbers", "[1, -2.5]", "--budget", "2"]), sum);
}

#[test]
fn a_parameter_can_have_the_name_of_an_option() {
    let repeated = |ran: Ran| (ran.code, serde_json::from_str::<Value>(&ran.output).unwrap());
    let plain = repeated(run(["call", "repeat", "--json", "--help", "me", "--log", "[1]"]));
    assert_eq!(plain, (Some(0), json!({ "json": true, "help": "me", "log": [1] })));
    let whole = repeated(run(["call", "--json", "repeat"]));
    assert_eq!(whole.1["structuredContent"], json!({ "json": false, "help": "", "log": null }));
}

#[test]
fn reports_command_line_mistakes_before_the_call() {
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
            &["wipe", "--answer", "sure"],
            format!("invalid value 'sure' for '--answer <KEY=VALUE>': expected KEY=VALUE, such as `confirm=true`{more}"),
        ),
        (
            &["sya"],
            "there is no tool `sya`; did you mean `say`?\n\nTools: say, sum, count, block, show, repeat, folder, fall, \
             book, wipe, pair, connect, place, exact, picture, choose, news, agent\n"
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
fn a_bad_argument_has_the_same_exit_code_everywhere() {
    let usage = "\n\nFor more information, try '--help'.\n";
    for (arguments, errors) in [
        (
            &["say", "--text", "a", "--times", "10"] as &[&str],
            "invalid arguments for `say`:\n- `times`: got 10, must be between 1 and 9 (How often)\n".to_owned(),
        ),
        (
            &["say", r#"{ "text": "a", "times": "often" }"#],
            "invalid arguments for `say`:\n- `times`: got \"often\", must be an integer between 1 and 9 (How often)\n"
                .to_owned(),
        ),
        (
            &["say", r#"{ "text": "a", "times": , "voice": "loud" }"#],
            format!(
                "invalid value '{{ \"text\": \"a\", \"times\": , \"voice\": \"loud\" }}' for '[JSON]': expected a JSON object: \
                 expected value at `, \"voice\": \"loud\" }}`{usage}"
            ),
        ),
        (
            &["exact", "--numbers", "[1, 300]"],
            "invalid arguments for `exact`:\n- `numbers[1]`: got 300, must be between 0 and 255\n".to_owned(),
        ),
    ] {
        let ran = ended(program("cli_server").arg("call").args(arguments).output().unwrap());
        assert_eq!(ran, failed(2, &format!("error: {errors}")), "{arguments:?}");
    }
    // Only its reader knows what is wrong with this one.
    let refused = run(["call", "exact", "--numbers", "1", "--word", "odd"]);
    let reason = "error: invalid arguments for `exact`:\n- the arguments: `odd` has an odd number of letters\n";
    assert_eq!(refused, failed(2, reason));
}

#[test]
fn a_failed_call_has_an_exit_code_of_its_own() {
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
fn prints_the_whole_result_as_json() {
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
fn answers_roots_without_a_user() {
    let here = std::env::current_dir().unwrap();
    let ran = Ran { errors: "notice: asked\n".to_owned(), ..printed(&format!("file://{}\n", here.display())) };
    assert_eq!(run(["call", "folder"]), ran);
    let unused = "notice: asked\nwarning: `--answer roots=…` was not used: the tool asked nothing\n";
    assert_eq!(run(["call", "folder", "--answer", "roots={}"]), Ran { errors: unused.to_owned(), ..ran });
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
