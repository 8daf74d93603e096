//! Two instances that take turns, and what shows if a rule does not hold.

use super::{LEASE, ONE, Rules, TWO, check, search};

#[test]
fn nothing_begins_twice_and_nobody_is_blocked_where_two_take_turns() {
    check(TWO).unwrap();
}

/// How it shows that something ran a second time.
const TWICE: [&str; 3] = ["began twice", "two seats", "two results"];

/// What a history would show if a rule did not hold.
#[test]
fn a_rule_that_does_not_hold_is_missed() {
    for (rules, violations) in [
        (Rules { fence: false, ..TWO }, &TWICE[..]),
        (Rules { lease: 1000 * LEASE, ..TWO }, &["blocked", "no response"]),
        (Rules { one_clock: false, ..TWO }, &TWICE),
        (Rules { mark: false, ..TWO }, &TWICE),
        (Rules { mark: false, ..ONE }, &TWICE),
        (Rules { tombstones: false, ..ONE }, &["began twice", "two seats", "two results", "blocked"]),
    ] {
        let found = search(rules, 30_000, 0).expect_err(&format!("{rules:?}"));
        assert!(violations.iter().any(|violation| found.contains(violation)), "{rules:?}: {found}");
    }
}
