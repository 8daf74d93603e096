//! Questions to a model, answered by the user at the terminal.

use crate::cli::terminal::{CTRL_C, DOWN, ENTER, ESC, Terminal};

const HELP: &str = "[`.` on a separate line ends the text. Esc to skip the reply.]";

#[test]
fn the_user_reads_the_conversation_and_replies_in_lines() {
    let mut terminal = Terminal::start(&["call", "picture"]);
    let conversation = "The tool asks a model. You reply instead of the model.

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

? Reply:";
    terminal.sees(conversation).sees(HELP).press("A cat,").press(ENTER);
    terminal.sees("? Reply: A cat,\n…").press(ENTER).press("asleep.").press(ENTER);
    terminal.sees("? Reply: A cat,\n…\n… asleep.\n…").press(".").press(ENTER);
    let ran = terminal.ends();
    assert_eq!(ran.result(), "A cat,\n\nasleep.");
    assert!(ran.errors.ends_with("? Reply: A cat,\n…\n… asleep.\n… ."), "{}", ran.errors);
}

#[test]
fn prompts_again_after_an_invalid_reply() {
    let mut terminal = Terminal::start(&["call", "choose"]);
    terminal.sees("User:\n  Your move.").sees("? Reply:").press("{\"cell\": 10}").press(ENTER).press(".").press(ENTER);
    terminal.sees("Assistant:\n  {\"cell\": 10}").press("{\"cell\": 5}").press(ENTER).press(".").press(ENTER);
    assert_eq!(terminal.ends().result(), "5 in 2 tries");
}

#[test]
fn an_empty_input_is_not_a_reply() {
    let mut terminal = Terminal::start(&["call", "news"]);
    terminal.sees("? Reply:").press(".").press(ENTER).sees("? Reply: .\n? Reply:").press("none").press(ENTER);
    terminal.sees("? Reply: none\n…").press(".").press(ENTER);
    assert_eq!(terminal.ends().result(), "none");
}

#[test]
fn esc_skips_the_reply_or_goes_back() {
    let ways = "? Skip the reply?\n> Go back to the reply\n  Skip: the tool continues without a reply, or fails";
    let without = "nothing is new (the client was asked three times and sent no answer)";
    let mut terminal = Terminal::start(&["call", "news"]);
    terminal.sees("? Reply:").press(ESC).sees(ways).press(ESC);
    assert_eq!(terminal.ends().result(), without);

    let mut terminal = Terminal::start(&["call", "news"]);
    terminal.sees("? Reply:").press(ESC).sees(ways).press(DOWN);
    terminal.sees("> Skip: the tool continues without a reply, or fails").press(ENTER);
    assert_eq!(terminal.ends().result(), without);

    // What was typed before is still there.
    let mut terminal = Terminal::start(&["call", "news"]);
    terminal.sees("? Reply:").press("no").press(ENTER).sees("? Reply: no\n…").press(ESC).sees(ways).press(ENTER);
    terminal.sees("? Skip the reply? Go back to the reply\n…").press("news").press(ENTER).press(".").press(ENTER);
    assert_eq!(terminal.ends().result(), "no\nnews");

    let mut terminal = Terminal::start(&["call", "picture"]);
    terminal.sees("? Reply:").press(ESC).sees(ways).press(ESC);
    let ran = terminal.ends();
    assert_eq!((ran.code, ran.output.as_str()), (Some(1), ""));
    assert!(ran.errors.ends_with("\nerror: the client was asked three times and sent no answer"), "{}", ran.errors);
}

#[test]
fn ctrl_c_at_a_reply_cancels_the_call() {
    let mut terminal = Terminal::start(&["call", "picture"]);
    terminal.sees("? Reply:").press("half").press(CTRL_C);
    let ran = terminal.ends();
    assert_eq!((ran.code, ran.output.as_str()), (Some(130), ""), "{}", ran.errors);
    assert!(ran.errors.ends_with("\ncancelled"), "{}", ran.errors);
}

#[test]
fn asks_a_provider_instead_of_the_user() {
    let terminal = Terminal::start_with(&["call", "choose"], &[("WITH_MODEL", "1")]);
    // It repeats the question, which is no answer.
    let ran = terminal.ends();
    assert_eq!(ran.code, Some(1));
    assert!(ran.errors.starts_with("error: `sample_schema` got no valid reply (attempts: 3)"), "{}", ran.errors);
}
