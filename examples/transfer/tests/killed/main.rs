//! The server as a real process that is killed at critical moments: money moves once, or not at all.

mod process;

use std::{thread, time::Duration};

use serde_json::{Value, json};

use self::process::Files;

/// The client's answers to the first and the second question.
fn yes() -> Value {
    json!({ "confirm": { "action": "accept", "content": { "confirmed": true } } })
}

fn verified() -> Value {
    json!({ "verify": { "action": "accept", "content": { "last_digits": "9037", "purpose": "Rent" } } })
}

const SENT: &str = "Sent 1200.00 € to Lea Brandt, booking 1.";

#[test]
fn resumes_after_a_kill_between_rounds() {
    let files = Files::new();
    let first = files.start().asks(None, "confirm");
    // Each process is killed after its reply has been read.
    let second = files.start().asks(Some((&first, &yes())), "verify");
    assert_eq!(files.start().sends(&second, &verified()), SENT);
    assert_eq!(files.bookings(), 1);
    // As if the reply had been lost, and the one before that as well.
    let mut process = files.start();
    assert_eq!(process.sends(&second, &verified()), SENT);
    assert_eq!(process.sends(&first, &yes()), SENT);
    assert_eq!(files.bookings(), 1);
}

#[test]
fn resumes_after_a_kill_while_it_handles_an_answer() {
    let files = Files::new();
    let mut first = files.start().asks(None, "confirm");
    for milliseconds in [0, 1, 2, 4] {
        let mut process = files.start();
        process.is_up();
        process.send(Some((&first, &yes())));
        thread::sleep(Duration::from_millis(milliseconds));
        drop(process);
        // Whether it was processed or not, the answer counts when it is sent again.
        let second = files.start().asks(Some((&first, &yes())), "verify");
        assert_eq!(files.bookings(), 0);
        assert_eq!(files.start().asks(Some((&first, &yes())), "verify"), second, "the recorded reply");
        first = files.start().asks(None, "confirm");
    }
}

#[test]
fn books_at_most_once_after_a_kill_at_the_last_answer() {
    let files = Files::new();
    for (round, milliseconds) in (1..).zip([0, 2, 4, 8]) {
        let mut process = files.start();
        let first = process.asks(None, "confirm");
        let second = process.asks(Some((&first, &yes())), "verify");
        let before = files.bookings();
        process.send(Some((&second, &verified())));
        thread::sleep(Duration::from_millis(milliseconds));
        drop(process);
        let reply = files.start().reply_to(Some((&second, &verified())));
        let booked = files.bookings() - before;
        match reply["error"]["message"].as_str() {
            None => assert_eq!(booked, 1, "round {round}: {reply}"),
            Some(message) => {
                assert!(message.contains("its outcome is unknown"), "{message}");
                assert!((0..=1).contains(&booked), "round {round}: {booked} bookings");
            }
        }
        // The outcome stays the same.
        let again = files.start().reply_to(Some((&second, &verified())));
        assert_eq!((&again["result"]["content"], &again["error"]), (&reply["result"]["content"], &reply["error"]));
        assert_eq!(files.bookings() - before, booked);
        files.pay_back();
    }
}

#[test]
fn does_not_book_later_after_a_kill_before_the_booking() {
    let files = Files::new();
    let mut process = files.start();
    let first = process.asks(None, "confirm");
    let second = process.asks(Some((&first, &yes())), "verify");
    let locked = files.lock("bank.db");
    process.send(Some((&second, &verified())));
    process.says("booking");
    drop(process);
    drop(locked);
    outcome_is_unknown(&files, &second, 0);
}

#[test]
fn does_not_book_again_after_a_kill_after_the_booking() {
    // Only a file can be locked.
    if !Files::has_ledger() {
        return;
    }
    let files = Files::new();
    let mut process = files.start();
    let first = process.asks(None, "confirm");
    let second = process.asks(Some((&first, &yes())), "verify");
    let bank = files.lock("bank.db");
    process.send(Some((&second, &verified())));
    process.says("booking");
    // The outcome cannot be recorded.
    let ledger = files.lock("ledger.db");
    drop(bank);
    while files.bookings() == 0 {
        thread::sleep(Duration::from_millis(5));
    }
    drop(process);
    drop(ledger);
    outcome_is_unknown(&files, &second, 1);
}

/// On every retry. The advice in the message shows how the call ended.
fn outcome_is_unknown(files: &Files, state: &str, bookings: i64) {
    for _ in 0..2 {
        let mut process = files.start();
        let message = process.fails(state, &verified());
        assert!(message.contains("its outcome is unknown; check the outcome before you repeat the call"), "{message}");
        assert_eq!(files.bookings(), bookings);
        let shown = process.call("balance", &json!({ "account": "household" }));
        let shown = &shown["result"]["structuredContent"];
        assert_eq!(shown["bookings"].as_array().unwrap().len() as i64, bookings, "{shown}");
        assert_eq!(shown["account"]["balance"], if bookings == 0 { "2500.00" } else { "1299.75" });
    }
}

#[test]
fn books_after_a_disconnect_and_a_retry_gets_the_result() {
    let files = Files::new();
    let mut process = files.start();
    let first = process.asks(None, "confirm");
    let second = process.asks(Some((&first, &yes())), "verify");
    let locked = files.lock("bank.db");
    let id = process.send(Some((&second, &verified())));
    process.says("booking");
    process.cancel(id);
    drop(locked);
    assert_eq!(process.sends(&second, &verified()), SENT);
    assert_eq!(files.start().sends(&second, &verified()), SENT);
    assert_eq!(files.bookings(), 1);
}

/// No other process takes over an effect that has begun, because the first may wake up.
#[cfg(target_os = "linux")]
#[test]
fn a_stalled_process_books_once_when_it_wakes() {
    let files = Files::new();
    let mut process = files.start();
    let first = process.asks(None, "confirm");
    let second = process.asks(Some((&first, &yes())), "verify");
    let locked = files.lock("bank.db");
    let id = process.send(Some((&second, &verified())));
    process.says("booking");
    process.stop();
    drop(locked);
    let message = files.start().fails(&second, &verified());
    assert!(message.contains("its outcome is unknown"), "{message}");
    process.signal("-CONT");
    assert_eq!(process.reply(id)["result"]["content"][0]["text"], SENT);
    assert_eq!(files.start().sends(&second, &verified()), SENT, "now it is known");
    assert_eq!(files.bookings(), 1);
}

#[test]
fn a_retried_first_request_with_a_key_is_the_same_call() {
    let files = Files::new();
    let first = files.start().with_key("4711").asks(None, "confirm");
    let mut process = files.start().with_key("4711");
    assert_eq!(process.asks(None, "confirm"), first);
    let second = process.asks(Some((&first, &yes())), "verify");
    assert_eq!(files.start().with_key("4711").asks(None, "verify"), second, "the latest reply");
    assert_eq!(process.sends(&second, &verified()), SENT);
    let last = files.start().with_key("4711").reply_to(None);
    assert_eq!(last["result"]["content"][0]["text"], SENT, "{last}");
    assert_eq!(files.bookings(), 1);
}

#[test]
fn two_processes_that_share_the_files_book_once() {
    let files = Files::new();
    let (mut one, mut other) = (files.start(), files.start());
    let first = one.asks(None, "confirm");
    let second = other.asks(Some((&first, &yes())), "verify");
    let mut send = |_| [&mut one, &mut other].map(|process| process.send(Some((&second, &verified()))));
    for ids in [0; 4].map(&mut send) {
        for (process, id) in [&mut one, &mut other].into_iter().zip(ids) {
            assert_eq!(process.reply(id)["result"]["content"][0]["text"], SENT);
        }
    }
    assert_eq!(files.bookings(), 1);
}

#[test]
fn a_call_ends_without_its_ledger_or_key() {
    let mut files = Files::new();
    let first = files.start().asks(None, "confirm");
    let second = files.start().asks(Some((&first, &yes())), "verify");
    if Files::has_ledger() {
        files.remove_ledger();
        let message = files.start().fails(&second, &verified());
        assert!(message.contains("this server's ledger does not know"), "{message}");
    }
    files.change_key();
    let message = files.start().fails(&second, &verified());
    assert!(message.contains("does not belong to this request"), "{message}");
    assert_eq!(files.bookings(), 0);
}
