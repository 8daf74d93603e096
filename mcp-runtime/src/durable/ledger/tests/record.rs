//! What the record alone decides, transition by transition.

use super::super::record::{Kept, LARGEST_STEPS, Lease, Record, Status, Step, Verdict, Wanted};
use crate::call::{ledger_time::LedgerTime, stored::Stored};

/// A holder, and how long it is heard of.
const FIRST: Lease = Lease { holder: 1, until: LedgerTime(1000) };
const SECOND: Lease = Lease { holder: 2, until: LedgerTime(2000) };
/// While the first holder's lease lasts, and after it.
const SOON: LedgerTime = LedgerTime(999);
const LATE: LedgerTime = LedgerTime(1000);

#[test]
fn the_first_round_makes_the_record() {
    let record = taken(claim(None, 1, SOON));
    assert_eq!(record, Record { round: 1, status: Status::Running(SECOND), reply: None, steps: Vec::new() });
}

#[test]
fn a_call_with_a_key_makes_its_record_at_round_0_and_at_no_other() {
    let wanted = |round| Wanted { round, first: 0, anywhere: false, again: false };
    assert_eq!(taken(Record::claim(None, wanted(0), SOON, FIRST)).round, 0);
    assert_eq!(Record::claim(None, wanted(1), SOON, FIRST), Verdict::Gone);
}

#[test]
fn no_record_no_later_round() {
    assert_eq!(claim(None, 2, SOON), Verdict::Gone);
    assert_eq!(claim(None, 0, SOON), Verdict::Gone);
}

#[test]
fn where_no_ledger_is_asked_for_any_round_makes_the_record_and_goes_past_an_earlier_one() {
    let wanted = Wanted { round: 3, first: 1, anywhere: true, again: false };
    assert_eq!(taken(Record::claim(None, wanted, SOON, SECOND)).round, 3);
    let record = taken(Record::claim(Some(open(2)), wanted, SOON, SECOND));
    assert_eq!((record.round, record.status), (3, Status::Running(SECOND)));
    let spent = Record::claim(Some(open(4)), wanted, SOON, SECOND);
    assert!(matches!(spent, Verdict::Reply { .. }), "{spent:?}");
}

#[test]
fn an_open_round_is_taken_up() {
    let record = taken(claim(Some(open(2)), 2, SOON));
    assert_eq!(record, Record { status: Status::Running(SECOND), ..open(2) });
}

#[test]
fn a_round_that_is_running_is_waited_for_until_its_lease_is_over() {
    assert_eq!(claim(Some(running(2)), 2, SOON), Verdict::Wait { until: FIRST.until });
    assert_eq!(taken(claim(Some(running(2)), 2, LATE)).status, Status::Running(SECOND));
}

#[test]
fn what_has_begun_is_waited_for_and_then_nobody_knows() {
    assert_eq!(claim(Some(begun(2)), 2, SOON), Verdict::Wait { until: FIRST.until });
    assert_eq!(claim(Some(begun(2)), 2, LATE), Verdict::UnknownOutcome);
}

#[test]
fn what_may_begin_again_is_taken_over_but_not_while_it_runs() {
    let again = Wanted { round: 2, first: 1, anywhere: false, again: true };
    assert_eq!(Record::claim(Some(begun(2)), again, SOON, SECOND), Verdict::Wait { until: FIRST.until });
    assert_eq!(taken(Record::claim(Some(begun(2)), again, LATE, SECOND)).status, Status::Running(SECOND));
}

#[test]
fn an_earlier_round_gets_the_latest_reply_whatever_becomes_of_the_later_one() {
    for record in [open(3), running(3), begun(3), done(3)] {
        for (round, now) in [(1, SOON), (2, SOON), (2, LATE)] {
            let reply = Stored::from(&b"latest"[..]);
            let done = record.status == Status::Done;
            assert_eq!(claim(Some(record.clone()), round, now), Verdict::Reply { reply, done });
        }
    }
}

#[test]
fn a_call_that_is_done_gives_its_result_to_its_last_round() {
    assert_eq!(claim(Some(done(3)), 3, LATE), Verdict::Reply { reply: Stored::from(&b"latest"[..]), done: true });
}

#[test]
fn a_reply_that_was_not_kept_is_said_to_be_that_and_nothing_runs() {
    let record = Record { reply: Some(Kept::No), ..done(3) };
    assert_eq!(claim(Some(record), 3, LATE), Verdict::NotKept { done: true });
    let record = Record { reply: Some(Kept::No), ..open(3) };
    assert_eq!(claim(Some(record), 2, LATE), Verdict::NotKept { done: false });
}

/// A store that lost a write under the same id.
#[test]
fn a_round_later_than_the_records_is_refused() {
    for record in [open(2), running(2), begun(2), done(2)] {
        assert_eq!(claim(Some(record), 3, LATE), Verdict::Gone);
    }
}

#[test]
fn passing_on_opens_the_next_round_with_its_reply_and_keeps_the_steps() {
    let record = stepped(running(2)).pass(Kept::Yes(Stored::from(&b"question"[..])));
    let reply = Some(Kept::Yes(Stored::from(&b"question"[..])));
    assert_eq!(record, Record { round: 3, status: Status::Open, reply, steps: stepped(running(2)).steps });
}

#[test]
fn finishing_keeps_the_result_and_forgets_the_steps() {
    let record = stepped(begun(2)).finish(Kept::Yes(Stored::from(&b"result"[..])));
    let reply = Some(Kept::Yes(Stored::from(&b"result"[..])));
    assert_eq!(record, Record { round: 2, status: Status::Done, reply, steps: Vec::new() });
}

#[test]
fn given_back_the_round_is_open_as_before_and_its_steps_stay() {
    assert_eq!(running(2).release(), open(2));
    assert_eq!(stepped(running(2)).release().steps, stepped(running(2)).steps);
}

#[test]
fn renewing_moves_the_lease_and_nothing_else() {
    let later = Lease { until: LedgerTime(5000), ..FIRST };
    assert_eq!(running(2).renew(later), Record { status: Status::Running(later), ..running(2) });
    assert_eq!(begun(2).renew(later), Record { status: Status::Begun(later), ..begun(2) });
}

#[test]
fn a_record_is_held_by_whom_it_names_while_it_runs() {
    for (record, held) in [(open(2), false), (running(2), true), (begun(2), true), (done(2), false)] {
        assert_eq!(record.is_held_by(FIRST.holder), held);
        assert!(!record.is_held_by(SECOND.holder));
    }
}

#[test]
fn a_step_is_marked_begun_and_then_has_its_value() {
    let record = running(2).begin_step("charge", FIRST);
    assert_eq!(record.step("charge"), Some(&Step { name: "charge".into(), value: None }));
    let record = record.begin_step("charge", FIRST).end_step("charge", Kept::Yes(Stored::from(&b"receipt"[..])), FIRST);
    let value = Some(Kept::Yes(Stored::from(&b"receipt"[..])));
    assert_eq!(record.steps, [Step { name: "charge".into(), value }]);
    assert_eq!(record.clone().begin_step("charge", FIRST), record, "a value is not lost");
    assert_eq!(record.step("refund"), None);
}

#[test]
fn a_step_renews_the_lease() {
    let later = Lease { until: LedgerTime(5000), ..FIRST };
    assert_eq!(running(2).begin_step("charge", later).status, Status::Running(later));
    assert_eq!(running(2).end_step("charge", Kept::No, later).status, Status::Running(later));
}

#[test]
fn a_mark_that_was_not_reported_is_taken_back() {
    let record = stepped(running(2)).without(&["begun".into(), "done".into(), "other".into()]);
    assert_eq!(record.steps, stepped(running(2)).steps[1..], "what was done stays");
}

#[test]
fn a_takeover_finds_the_steps() {
    let record = taken(claim(Some(stepped(running(2))), 2, LATE));
    assert_eq!(record.steps, stepped(running(2)).steps);
}

#[test]
fn the_steps_of_a_call_have_a_bound() {
    let head = Step::HEAD + 1;
    let half = vec![0; LARGEST_STEPS / 2 - head];
    let record = running(2).end_step("a", Kept::Yes(Stored::from(&*half)), FIRST);
    assert!(record.has_room_for("b", half.len()));
    assert!(!record.has_room_for("b", half.len() + 1));
    assert!(record.has_room_for("a", LARGEST_STEPS - head), "its own value makes room");
    assert!(!record.has_room_for(&"long".repeat(1000), 0), "a name has one of its own");
}

fn claim(record: Option<Record>, round: u32, now: LedgerTime) -> Verdict {
    Record::claim(record, Wanted { round, first: 1, anywhere: false, again: false }, now, SECOND)
}

fn taken(verdict: Verdict) -> Record {
    match verdict {
        Verdict::Take(record) => record,
        other => panic!("{other:?}"),
    }
}

fn open(round: u32) -> Record {
    let reply = Some(Kept::Yes(Stored::from(&b"latest"[..])));
    Record { round, status: Status::Open, reply, steps: Vec::new() }
}

fn running(round: u32) -> Record {
    Record { status: Status::Running(FIRST), ..open(round) }
}

fn begun(round: u32) -> Record {
    running(round).begin(FIRST)
}

fn done(round: u32) -> Record {
    Record { status: Status::Done, ..open(round) }
}

fn stepped(record: Record) -> Record {
    record.begin_step("begun", FIRST).end_step("done", Kept::Yes(Stored::from(&b"value"[..])), FIRST)
}
