//! Questions of a tool, asked at a terminal.

use crate::cli::terminal::{BACKSPACE, CTRL_C, DOWN, ENTER, ESC, Terminal, UP};

#[test]
fn fills_in_a_form_field_by_field() {
    let mut terminal = Terminal::start(&["call", "book"]);
    terminal
        .sees("Found 2 flights:\nTP1 9:30, TP2 14:00\n(Esc to decline or cancel)\n\n? Flight:")
        .sees("[The flight's number. At least 3 characters.]")
        .press("TP1")
        .press(ENTER)
        .sees("? seats (optional): 2\n[From 1 to 9. Press Enter to skip this field.]")
        .press(BACKSPACE)
        .press("3")
        .press(ENTER)
        .sees("? day:\n[Such as 2026-01-31.]")
        .press("2026-02-03")
        .press(ENTER)
        .sees("? seat (optional):\n  Window\n  Aisle\n> No preference\n  (leave it out)")
        .press(UP)
        .sees("> Aisle")
        .press(ENTER)
        .sees("? extras:\n> [ ] Window\n  [ ] Aisle\n  [ ] No preference")
        .press(" ")
        .sees("> [x] Window")
        .press(DOWN)
        .press(DOWN)
        .press(" ")
        .sees("> [x] No preference")
        .press(ENTER)
        .sees("? newsletter? (y/N)")
        .press("y")
        .press(ENTER)
        .sees("? note (optional):\n[Press Enter to skip this field.]")
        .press(ENTER);
    let ran = terminal.ends();
    let answered = "PickFlight { flight_id: \"TP1\", seats: 3, day: \"2026-02-03\", seat: Aisle, \
                    extras: MultiSelect([Window, None]), newsletter: true, note: None }";
    assert_eq!(ran.result(), answered);
    let left = "(Esc to decline or cancel)

? Flight: TP1
? seats (optional): 3
? day: 2026-02-03
? seat (optional): Aisle
? extras: Window, No preference
? newsletter? Yes
? note (optional):";
    assert!(ran.errors.ends_with(left), "{}", ran.errors);
}

#[test]
fn enter_accepts_the_default() {
    let mut terminal = Terminal::start(&["call", "book"]);
    terminal.sees("? Flight:").press("TP1").press(ENTER);
    terminal.sees("? seats (optional): 2").press(ENTER);
    terminal.sees("? day:").press("2026-02-03").press(ENTER);
    terminal.sees("> No preference").press(ENTER);
    terminal.sees("> [ ] Window").press(" ").sees("> [x] Window").press(ENTER);
    terminal.sees("? newsletter? (y/N)").press(ENTER);
    terminal.sees("? note (optional):").press("by the way").press(ENTER);
    let answered = "PickFlight { flight_id: \"TP1\", seats: 2, day: \"2026-02-03\", seat: None, \
                    extras: MultiSelect([Window]), newsletter: false, note: Some(\"by the way\") }";
    assert_eq!(terminal.ends().result(), answered);
}

#[test]
fn reports_an_invalid_value_at_the_prompt() {
    let mut terminal = Terminal::start(&["call", "book"]);
    terminal.sees("? Flight:").press(ENTER).sees("# needs a value\n? Flight:");
    terminal.press("TP").press(ENTER).sees("# must have at least 3 characters\n? Flight: TP").press("1").press(ENTER);
    terminal.sees("? seats (optional): 2").press("0").press(ENTER);
    terminal.sees("# must be between 1 and 9\n? seats (optional): 20").press(BACKSPACE).press("x").press(ENTER);
    terminal.sees("# expected an integer\n? seats (optional): 2x").press(BACKSPACE).press(BACKSPACE).press(ENTER);
    terminal.sees("? day:").press("2026-02-30").press(ENTER);
    terminal.sees("# must be a date such as 2026-01-31\n? day: 2026-02-30").press(BACKSPACE).press(BACKSPACE);
    terminal.press("28").press(ENTER).sees("> No preference").press(DOWN).press(ENTER);
    terminal.sees("> [ ] Window").press(ENTER).sees("# must have between 1 and 2 items\n? extras:").press(" ");
    terminal.sees("> [x] Window").press(ENTER).sees("? newsletter? (y/N)").press("maybe").press(ENTER);
    terminal.sees("# type `y` or `n`\n? newsletter? (y/N) maybe").press(&BACKSPACE.repeat(5)).press("n").press(ENTER);
    terminal.sees("? note (optional):").press(ENTER);
    // What is left out is what the form says it is then.
    let answered = "PickFlight { flight_id: \"TP1\", seats: 2, day: \"2026-02-28\", seat: None, \
                    extras: MultiSelect([Window]), newsletter: false, note: None }";
    assert_eq!(terminal.ends().result(), answered);
}

#[test]
fn asks_yes_or_no_with_the_message_only() {
    for (key, answer) in [("y", true), ("n", false)] {
        let mut terminal = Terminal::start(&["call", "wipe"]);
        terminal.sees("? Delete everything? y/n\n[It cannot be undone. Esc to decline or cancel]");
        terminal.press(key).press(ENTER);
        let ran = terminal.ends();
        assert_eq!(ran.result(), format!("Confirm {{ sure: {answer} }}"));
        // Nothing of the bar is left, and the message that came later stands below.
        let word = if answer { "Yes" } else { "No" };
        assert_eq!(ran.errors, format!("? Delete everything? {word}\nnotice: answered"));
    }
}

#[test]
fn esc_declines_cancels_or_goes_back() {
    let ways = "? Leave the form?\n> Go back to it\n  Decline: the answer is no\n  Cancel: there is no answer";
    let left = |leave: fn(&mut Terminal) -> &mut Terminal| {
        let mut terminal = Terminal::start(&["call", "book"]);
        terminal.sees("? Flight:").press("TP1").press(ENTER).sees("? seats (optional): 2").press(ESC).sees(ways);
        leave(&mut terminal);
        terminal.ends().result().to_owned()
    };
    assert_eq!(left(|it| it.press(ESC)), "cancelled");
    assert_eq!(left(|it| it.press(DOWN).sees("> Decline: the answer is no").press(ENTER)), "declined");
    assert_eq!(left(|it| it.press(UP).sees("> Cancel: there is no answer").press(ENTER)), "cancelled");

    let mut terminal = Terminal::start(&["call", "wipe"]);
    terminal.sees("? Delete everything? y/n").press(ESC).sees(ways).press(ENTER);
    terminal.sees("? Leave the form? Go back to it\n? Delete everything? y/n").press("y").press(ENTER);
    assert_eq!(terminal.ends().result(), "Confirm { sure: true }");
}

#[test]
fn ctrl_c_at_a_prompt_cancels_the_call() {
    for (tool, prompt) in
        [("book", "? Flight:"), ("wipe", "? Delete everything? y/n"), ("connect", "? Open it in your browser? y/n")]
    {
        let mut terminal = Terminal::start(&["call", tool]);
        terminal.sees(prompt).press(CTRL_C);
        let ran = terminal.ends();
        assert_eq!((ran.code, ran.output.as_str()), (Some(130), ""), "{}", ran.errors);
        assert!(ran.errors.ends_with("\ncancelled"), "{}", ran.errors);
    }
}

#[test]
fn asks_the_questions_of_a_round_in_order() {
    let mut terminal = Terminal::start(&["call", "pair"]);
    terminal.sees("Who are you?\n(Esc to decline or cancel)\n\n? name:").press("Ann").press(ENTER);
    terminal.sees("Who comes with you?\n(Esc to decline or cancel)\n\n? name:").press("Bob").press(ENTER);
    terminal.sees("? Is that right? y/n").press("y").press(ENTER);
    assert_eq!(terminal.ends().result(), "Ann and Bob: true");
}

#[test]
fn prompts_for_questions_without_an_answer() {
    let mut terminal = Terminal::start(&["call", "pair", "--answer", "name#2=B"]);
    terminal.sees("Who are you?\n(Esc to decline or cancel)\n\n? name:").press("Ann").press(ENTER);
    // The server has refused what was given, and says why.
    terminal.sees("The last answer did not fit:\n- `name`: got \"B\" (1 character), must have at least 2 characters");
    terminal.sees("? name:").press("Bob").press(ENTER);
    terminal.sees("? Is that right? y/n").press("n").press(ENTER);
    assert_eq!(terminal.ends().result(), "Ann and Bob: false");

    let mut terminal = Terminal::start(&["call", "place", "--answer", "take=c1", "--answer", "take=cancel"]);
    terminal.sees("warning: `--answer take=c1`: `place`: expected one of `a1` (Front, left), `b1` (Front, right)");
    terminal.sees("> Front, left\n  Front, right").press(ENTER);
    assert_eq!(terminal.ends().result(), "a1 and cancelled");
}

#[test]
fn shows_the_full_url_and_does_not_open_it() {
    let page = "Connect your calendar.\n\n  https://example.com/connect?id=1\n\n? Open it in your browser? y/n";
    for (key, code, output, errors) in [
        ("y", 0, "connected\n", "? Open it in your browser? Yes"),
        ("n", 1, "", "? Open it in your browser? No\nerror: the user declined"),
    ] {
        let mut terminal = Terminal::start(&["call", "connect"]);
        terminal.sees(page).press(key).press(ENTER);
        let ran = terminal.ends();
        assert_eq!((ran.code, ran.output.as_str()), (Some(code), output));
        assert!(ran.errors.ends_with(errors), "{}", ran.errors);
    }
    let mut terminal = Terminal::start(&["call", "connect"]);
    terminal.sees(page).press(ESC);
    let ran = terminal.ends();
    assert!(ran.errors.ends_with("error: the user cancelled"), "{}", ran.errors);
}
