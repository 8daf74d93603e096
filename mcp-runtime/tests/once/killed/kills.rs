//! Processes that are killed.

use std::{
    thread,
    time::{Duration, Instant},
};

use super::process::{LEASE, Site};
use crate::once::wire::{asked, error, seat, state, sure, text};

#[test]
fn a_call_survives_a_kill_between_rounds() {
    for site in Site::all() {
        let mut process = site.start("a");
        let first = process.begin("book");
        process.kill();
        let mut process = site.start("b");
        let second = process.answer("book", &first, &seat("12A"));
        process.kill();
        let mut process = site.start("c");
        assert_eq!(process.answer("book", &first, &seat("1F")), second);
        let done = process.answer("book", &state(&second), &sure(true));
        process.kill();
        assert_eq!(text(&done), "12A for 100");
        // A recorded reply is repeated by any process.
        let mut process = site.start("d");
        for state in [&first, &state(&second)] {
            assert_eq!(process.answer("book", state, &sure(false)), done);
        }
        assert_eq!(site.runs(), (1, 1, 1));
    }
}

#[test]
fn a_round_is_taken_over_after_its_lease() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let first = one.begin("book");
        one.answer_up_to("seat", "book", &first, &seat("12A"));
        one.kill();
        let second = other.answer("book", &first, &seat("1F"));
        assert_eq!(asked(&second), ["sure"]);

        // Before the effect begins it is the same.
        other.answer_up_to("sure", "book", &state(&second), &sure(true));
        other.kill();
        let mut third = site.start("c");
        let since = Instant::now();
        let done = third.answer("book", &state(&second), &sure(true));
        assert_eq!((text(&done), site.runs()), ("1F for 100", (1, 1, 1)));
        assert!(since.elapsed() < LEASE + Duration::from_secs(10), "{:?}", since.elapsed());
    }
}

#[test]
fn a_kill_during_an_effect_makes_its_outcome_unknown() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let second = one.begin_and_sit("book");
        one.answer_up_to("effect", "book", &second, &sure(true));
        one.kill();
        let key = site.notes().lines().find_map(|line| line.strip_prefix("after ")).unwrap().to_owned();
        for answer in [sure(true), sure(false)] {
            let unknown = other.answer("book", &second, &answer);
            let (code, message) = error(&unknown);
            assert!(code == -32603 && message.contains("its outcome is unknown"), "{unknown}");
            assert_eq!(unknown["error"]["data"]["idempotencyKey"], *key);
        }
        assert_eq!(site.runs(), (1, 1, 0));
    }
}

#[test]
fn an_idempotent_effect_is_retried_with_the_same_key() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let second = one.begin_and_sit("rebook");
        one.answer_up_to("effect", "rebook", &second, &sure(true));
        one.kill();
        assert_eq!(text(&other.answer("rebook", &second, &sure(true))), "12A for 100");
        assert_eq!(site.runs(), (1, 2, 1));
        let notes = site.notes();
        let keys: Vec<_> =
            notes.lines().filter(|&line| line != "after ends").filter_map(|line| line.strip_prefix("after ")).collect();
        assert!(keys[0] == keys[1] && keys[0].len() == 36, "{keys:?}");
    }
}

#[test]
fn an_interrupted_step_is_retried_only_if_idempotent() {
    for (tool, again) in [("order", false), ("retry", true)] {
        for site in Site::all() {
            let (mut one, mut other) = (site.start("a"), site.start("b"));
            let first = one.begin(tool);
            one.answer_up_to("step", tool, &first, &seat("12A"));
            one.kill();
            let done = other.answer(tool, &first, &seat("12A"));
            if again {
                assert_eq!((text(&done), site.count("charge")), ("12A charged by b", 2));
            } else {
                assert!(text(&done).starts_with("the step `charge` was begun before"), "{done}");
                assert_eq!(site.count("charge"), 1);
            }
        }
    }
}

#[test]
fn a_retry_finds_a_finished_step() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let first = one.begin("order");
        one.answer_up_to("sure", "order", &first, &seat("12A"));
        one.kill();
        let second = other.answer("order", &first, &seat("1F"));
        assert_eq!(asked(&second), ["sure"]);
        assert_eq!(text(&other.answer("order", &state(&second), &sure(true))), "1F charged by a");
        assert_eq!(site.count("charge"), 1);
    }
}

#[test]
fn a_process_finishes_its_effects_before_it_exits() {
    for cancels in [false, true] {
        for site in Site::all() {
            let (mut one, mut other) = (site.start("a"), site.start("b"));
            let second = one.begin_and_sit("book");
            let hold = one.answer_up_to("effect", "book", &second, &sure(true));
            if cancels {
                one.cancel();
            }
            thread::spawn(|| {
                thread::sleep(Duration::from_millis(300));
                hold.let_go();
            });
            one.end();
            assert_eq!(site.runs(), (1, 1, 1), "{cancels}");
            assert_eq!(text(&other.answer("book", &second, &sure(true))), "12A for 100");
            assert_eq!(site.runs(), (1, 1, 1));
        }
    }
}

/// Kills a process at an arbitrary moment of a call. The client then retries with another process.
#[test]
fn a_kill_at_any_moment_repeats_no_effect() {
    for site in Site::all() {
        let mut other = site.start("z");
        let mut unknown = 0;
        for number in 0..8_u64 {
            let (before, begun, ended) = site.runs();
            let mut one = site.start("a");
            let first = one.begin("book");
            let second = state(&other.answer("book", &first, &seat("12A")));
            one.send_answer("book", &second, &sure(true));
            thread::sleep(Duration::from_micros(500 * number));
            one.kill();
            let response = other.answer("book", &second, &sure(true));
            let runs = site.runs();
            assert_eq!(runs.0, before + 1, "{response}");
            if response.get("error").is_some() {
                assert!(error(&response).1.contains("its outcome is unknown"), "{response}");
                // It may have been killed between the mark and the effect.
                assert!(runs.1 <= begun + 1, "{response}");
                unknown += 1;
            } else {
                assert_eq!((text(&response), runs.1, runs.2), ("12A for 100", begun + 1, ended + 1));
            }
        }
        assert!(unknown < 8, "it never came through");
    }
}
