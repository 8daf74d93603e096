//! Processes that stall for longer than their lease and then continue.

use super::process::{LEASE, Site};
use crate::wire::{asked, error, seat, state, sure, text};

#[test]
fn does_not_begin_an_effect_after_a_takeover() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let first = one.begin("book");
        let second = state(&one.answer("book", &first, &seat("12A")));
        let hold = one.hold("sure");
        one.send_answer("book", &second, &sure(true));
        one.reached("sure");
        one.stall();
        let done = other.answer("book", &second, &sure(true));
        assert_eq!(text(&done), "12A for 100");
        hold.let_go();
        one.wake();
        let late = one.reply();
        let (code, message) = error(&late);
        assert!(code == -32603 && message.contains("send the same request again"), "{late}");
        assert_eq!(one.answer("book", &second, &sure(true)), done);
        assert_eq!(site.runs(), (1, 1, 1));
    }
}

#[test]
fn does_not_finish_a_round_after_a_takeover() {
    for site in Site::all() {
        let (mut one, mut other) = (site.start("a"), site.start("b"));
        let first = one.begin("book");
        let hold = one.hold("seat");
        one.send_answer("book", &first, &seat("12A"));
        one.reached("seat");
        one.stall();
        let second = other.answer("book", &first, &seat("1F"));
        assert_eq!(asked(&second), ["sure"]);
        hold.let_go();
        one.wake();
        let late = one.reply();
        let (code, message) = error(&late);
        assert!(code == -32603 && message.contains("send the same request again"), "{late}");
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
        let first = one.begin("book");
        let second = state(&one.answer("book", &first, &seat("12A")));
        let hold = one.hold("effect");
        one.send_answer("book", &second, &sure(true));
        one.reached("effect");
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
