//! Two instances that share a ledger, and checks that the model test detects a missing rule.

use super::{LEASE, ONE, Rules, TWO, check, histories, kinds, search};

#[test]
fn two_instances_keep_all_invariants() {
    check(TWO, kinds()).unwrap();
}

/// Parts of violation messages. Each part means that an effect ran twice.
const TWICE: [&str; 3] = ["began twice", "two seats", "two results"];

/// Switches one rule off at a time, and expects a violation.
#[test]
fn the_model_detects_each_missing_rule() {
    for (rules, violations) in [
        (Rules { fence: false, ..TWO }, &TWICE[..]),
        (Rules { lease: 1000 * LEASE, ..TWO }, &["blocked", "no response"]),
        (Rules { one_clock: false, ..TWO }, &TWICE),
        (Rules { mark: false, ..TWO }, &TWICE),
        (Rules { mark: false, ..ONE }, &TWICE),
        (Rules { tombstones: false, ..ONE }, &["began twice", "two seats", "two results", "blocked"]),
    ] {
        let found = search(rules, (kinds(), histories()), 30_000, 0).expect_err(&format!("{rules:?}"));
        assert!(violations.iter().any(|violation| found.contains(violation)), "{rules:?}: {found}");
    }
}
