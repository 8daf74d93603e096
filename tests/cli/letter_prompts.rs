//! The commands `prompts`, `prompt` and `complete`.

use serde_json::{Value, json};

use crate::cli::program::{failed, printed, run, run_with};

#[test]
fn shows_prompts_in_a_table() {
    let expected = "\
PROMPT    WHAT IT DOES            PARAMETERS
letter    Ask for a letter.       to*, tone
compare   Ask for a comparison.   first*, second*, lines
newest    Ask for the news.

* required. All about a prompt: `cli_server prompts PROMPT`. Get it: `cli_server prompt PROMPT`.
";
    assert_eq!(run(["prompts"]), printed(expected));
}

#[test]
fn shows_the_page_of_a_prompt() {
    let page = "\
letter: A letter

Ask for a letter. The user names its topic.

Usage:
  cli_server prompt letter --to <string> [--PARAMETER VALUE]…
  cli_server prompt letter JSON

Parameters:
  --to <string>     Required. Who gets the letter.
  --tone <string>   One of: friendly, formal.

Options:
  JSON                   All arguments as one JSON object; `-` reads it from standard input
  --answer <KEY=VALUE>   Answer a question in advance, as shown below. `KEY=decline` and
                         `KEY=cancel` are also answers. If a key is asked twice, give the option
                         twice
  --json                 Print the whole result as JSON
  --log <level>          Show log messages from this level up, or `off`. Default: info
  -h, --help             Print this page

Questions:
  topic
    topic   string   Required.
    Such as: --answer topic=…

Needs a client that supports form elicitation.
";
    assert_eq!(run(["prompts", "letter"]), printed(page));
    assert_eq!(run(["prompt", "letter", "--help"]), printed(page));
}

#[test]
fn help_lists_the_prompts() {
    let help = run(["help"]).output;
    for command in ["prompts", "prompt", "complete"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
    }
    let help = run(["prompt", "--help"]);
    assert_eq!(help.code, Some(0));
    let listed = "\n  letter   Ask for a letter.\n  compare  Ask for a comparison.\n  newest   Ask for the news.\n";
    assert!(help.output.contains("Usage: cli_server prompt [OPTIONS] <PROMPT>"), "{}", help.output);
    assert!(help.output.contains(listed), "{}", help.output);
}

#[test]
fn prints_a_single_message_alone_and_several_with_their_roles() {
    assert_eq!(run(["prompt", "newest"]), printed("What is new?\n"));
    let compared = "\
[user]
Compare a and b in 3 lines.

[user]
[image/png, 12 KB]

[assistant]
Both
";
    assert_eq!(run(["prompt", "compare", "--first", "a", "--second", "b", "--lines", "3"]), printed(compared));
    let object = r#"{"first":"a","second":"b","lines":"3"}"#;
    assert_eq!(run(["prompt", "compare", object]), printed(compared));
    assert_eq!(run_with(&["prompt", "compare", "-"], object), printed(compared));

    let whole = run(["prompt", "newest", "--json"]);
    let whole: Value = serde_json::from_str(whole.result()).unwrap();
    let content = json!({ "type": "text", "text": "What is new?" });
    assert_eq!(whole["messages"], json!([{ "role": "user", "content": content }]));
}

#[test]
fn answers_the_questions_of_a_prompt_in_advance() {
    let letter = run(["prompt", "letter", "--to", "Ada", "--tone", "formal", "--answer", "topic=engines"]);
    assert_eq!(letter.output, "Write a formal letter to Ada about engines.\n");
    assert_eq!((letter.code, letter.errors.as_str()), (Some(0), "info: thinking\n"));

    let declined = run(["prompt", "letter", "--to", "Ada", "--log", "off", "--answer", "topic=decline"]);
    assert_eq!(declined, failed(1, "error: no letter without a topic\n"));

    let unasked = run(["prompt", "letter", "--to", "Ada"]);
    assert_eq!(unasked.code, Some(1));
    assert!(unasked.errors.contains("--answer topic=…"), "{}", unasked.errors);
    assert!(unasked.errors.contains("For more, try `cli_server prompts letter`"), "{}", unasked.errors);

    let unused = run(["prompt", "newest", "--answer", "topic=x"]);
    assert_eq!(unused.errors, "warning: `--answer topic=…` was not used: the prompt asked nothing\n");
}

#[test]
fn explains_mistakes() {
    let unknown = "error: there is no prompt `leter`; did you mean `letter`?\n\nPrompts: letter, compare, newest\n";
    assert_eq!(run(["prompt", "leter"]), failed(2, unknown));
    assert_eq!(run(["prompts", "leter"]), failed(2, unknown));

    let missing = run(["prompt", "compare", "--first", "a"]);
    assert_eq!(missing.code, Some(2));
    assert!(
        missing.errors.contains("required arguments were not provided:\n  --second <string>"),
        "{}",
        missing.errors
    );

    let mistyped = run(["prompt", "compare", "--frist", "a"]);
    assert!(mistyped.errors.contains("a similar argument exists: '--first'"), "{}", mistyped.errors);

    let choice = run(["prompt", "letter", "--to", "Ada", "--tone", "loud"]);
    assert!(choice.errors.contains("expected one of `friendly`, `formal`"), "{}", choice.errors);

    let number = run(["prompt", "compare", "--first", "a", "--second", "b", "--lines", "many"]);
    assert_eq!(number.code, Some(1));
    assert!(number.errors.contains("`lines` must be an integer from 0 to 255"), "{}", number.errors);
}

#[test]
fn completes_an_argument_line_by_line() {
    assert_eq!(run(["complete", "letter", "to"]), printed("Ada\nAlan\nGrace\n"));
    assert_eq!(run(["complete", "letter", "to", "al"]), printed("Alan\n"));
    assert_eq!(run(["complete", "letter", "tone", "f"]), printed("friendly\nformal\n"));
    assert_eq!(run(["complete", "letter", "to", "--filled", "tone=formal"]), printed("Lady Lovelace\n"));
    assert_eq!(run(["complete", "letter", "to", "zz"]), printed(""));

    let whole = run(["complete", "letter", "to", "--json"]);
    let whole: Value = serde_json::from_str(whole.result()).unwrap();
    assert_eq!(whole["completion"], json!({ "values": ["Ada", "Alan", "Grace"], "total": 3, "hasMore": false }));
}

#[test]
fn explains_what_cannot_be_completed() {
    let unknown = "error: there is no prompt `leter`; did you mean `letter`?\n\nPrompts: letter, compare, newest\n";
    assert_eq!(run(["complete", "leter", "to"]), failed(2, unknown));
    let argument =
        "error: the prompt `letter` has no argument `tome`; did you mean `tone`? (arguments: `to`, `tone`)\n";
    assert_eq!(run(["complete", "letter", "tome"]), failed(2, argument));
    let plain = "error: the prompt `compare` does not complete its argument `first`\n";
    assert_eq!(run(["complete", "compare", "first"]), failed(2, plain));
    assert_eq!(run(["complete", "newest", "x"]), failed(2, "error: the prompt `newest` has no arguments\n"));
    let failing = "error: the people cannot be read\n";
    assert_eq!(run(["complete", "letter", "to", "--filled", "tone=unknown"]), failed(1, failing));
    let pair = run(["complete", "letter", "to", "--filled", "tone"]);
    assert_eq!(pair.code, Some(2));
    assert!(pair.errors.contains("expected NAME=VALUE, such as `language=rust`"), "{}", pair.errors);
}

#[test]
fn the_manifest_lists_the_prompts() {
    let manifest: Value = serde_json::from_str(run(["manifest"]).result()).unwrap();
    let names: Vec<_> = manifest["prompts"].as_array().unwrap().iter().map(|prompt| &prompt["name"]).collect();
    assert_eq!(names, ["letter", "compare", "newest"]);
}

#[cfg(unix)]
#[test]
fn prompts_for_missing_arguments_at_a_terminal() {
    use crate::cli::terminal::{ENTER, Terminal};

    let mut terminal = Terminal::start(&["prompt", "compare", "--second", "b"]);
    terminal.sees("Arguments of `compare`:\n(Esc to decline or cancel)\n\n? first:").press("a").press(ENTER);
    let ran = terminal.ends();
    assert!(ran.result().starts_with("[user]\nCompare a and b."), "{ran:?}");

    let mut terminal = Terminal::start(&["prompt", "letter"]);
    terminal.sees("? to:\n[Who gets the letter.]").press("Ada").press(ENTER);
    terminal.sees("About what?\n(Esc to decline or cancel)\n\n? topic:").press("engines").press(ENTER);
    assert_eq!(terminal.ends().result(), "Write a friendly letter to Ada about engines.");
}
