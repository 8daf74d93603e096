//! Processes that stall for longer than their lease and then continue.

use super::process::{LEASE, Site};
use crate::once::wire::{asked, error, is_refused_for_now, seat, state, sure, text};

#[test]
fn does_not_begin_an_effect_after_a_takeover() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let second = one.begin_and_sit("book");
        let hold = one.answer_up_to("sure", "book", &second, &sure(true));
        one.stall();
        let done = other.answer("book", &second, &sure(true));
        assert_eq!(text(&done), "12A for 100");
        hold.let_go();
        one.wake();
        is_refused_for_now(&one.reply());
        assert_eq!(one.answer("book", &second, &sure(true)), done);
        assert_eq!(site.runs(), (1, 1, 1));
    }
}

#[test]
fn does_not_finish_a_round_after_a_takeover() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let first = one.begin("book");
        let hold = one.answer_up_to("seat", "book", &first, &seat("12A"));
        one.stall();
        let second = other.answer("book", &first, &seat("1F"));
        assert_eq!(asked(&second), ["sure"]);
        hold.let_go();
        one.wake();
        is_refused_for_now(&one.reply());
        // Both return the same reply from now on.
        assert_eq!(one.answer("book", &first, &seat("12A")), second);
        assert_eq!(text(&one.answer("book", &state(&second), &sure(true))), "1F for 100");
        assert_eq!(site.runs(), (1, 1, 1));
    }
}

#[test]
fn keeps_the_outcome_of_an_effect_that_has_begun() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let second = one.begin_and_sit("book");
        let hold = one.answer_up_to("effect", "book", &second, &sure(true));
        one.stall();
        // Its outcome is not known yet.
        let unknown = other.answer("book", &second, &sure(true));
        assert!(error(&unknown).1.contains("its outcome is unknown"), "{unknown}");
        std::thread::sleep(LEASE / 2);
        hold.let_go();
        one.wake();
        let done = one.reply();
        assert_eq!(text(&done), "12A for 100");
        assert_eq!(other.answer("book", &second, &sure(true)), done);
        assert_eq!(site.runs(), (1, 1, 1));
    }
}
