//! The transitions of a record.

use super::super::record::{Kept, LARGEST_STEPS, Record, Status, StepRecord, Verdict, WantedTurn};
use crate::engine::{
    call::{entry_slice::EntrySlice, ledger_time::LedgerTime},
    durable::ledger::record::Lease,
};

/// The leases of two holders.
const FIRST: Lease = Lease { holder: 1, until: LedgerTime(1000) };
const SECOND: Lease = Lease { holder: 2, until: LedgerTime(2000) };
/// A time during the first holder's lease, and a time after it.
const SOON: LedgerTime = LedgerTime(999);
const LATE: LedgerTime = LedgerTime(1000);

#[test]
fn first_round_creates_the_record() {
    let record = taken(claim(None, 1, SOON));
    assert_eq!(
        record,
        Record { round: 1, status: Status::Running(SECOND), reply: None, journal: None, steps: Vec::new() }
    );
}

#[test]
fn call_with_a_key_creates_its_record_only_at_round_0() {
    let wanted = |round| WantedTurn { round, first: 0, anywhere: false, again: false };
    assert_eq!(taken(Record::claim(None, wanted(0), SOON, FIRST)).round, 0);
    assert_eq!(Record::claim(None, wanted(1), SOON, FIRST), Verdict::Gone);
}

#[test]
fn later_round_without_a_record_is_gone() {
    assert_eq!(claim(None, 2, SOON), Verdict::Gone);
    assert_eq!(claim(None, 0, SOON), Verdict::Gone);
}

#[test]
fn anywhere_lets_any_round_create_the_record_or_overtake_an_earlier_one() {
    let wanted = WantedTurn { round: 3, first: 1, anywhere: true, again: false };
    assert_eq!(taken(Record::claim(None, wanted, SOON, SECOND)).round, 3);
    let record = taken(Record::claim(Some(open(2)), wanted, SOON, SECOND));
    assert_eq!((record.round, record.status), (3, Status::Running(SECOND)));
    let spent = Record::claim(Some(open(4)), wanted, SOON, SECOND);
    assert!(matches!(spent, Verdict::Reply { .. }), "{spent:?}");
}

#[test]
fn open_round_is_claimed() {
    let record = taken(claim(Some(open(2)), 2, SOON));
    assert_eq!(record, Record { status: Status::Running(SECOND), ..open(2) });
}

#[test]
fn running_round_is_waited_for_until_its_lease_expires() {
    assert_eq!(claim(Some(running(2)), 2, SOON), Verdict::Wait { until: FIRST.until });
    assert_eq!(taken(claim(Some(running(2)), 2, LATE)).status, Status::Running(SECOND));
}

#[test]
fn begun_round_is_waited_for_and_then_has_an_unknown_outcome() {
    assert_eq!(claim(Some(begun(2)), 2, SOON), Verdict::Wait { until: FIRST.until });
    assert_eq!(claim(Some(begun(2)), 2, LATE), Verdict::UnknownOutcome);
}

#[test]
fn idempotent_round_is_taken_over_after_its_lease() {
    let again = WantedTurn { round: 2, first: 1, anywhere: false, again: true };
    assert_eq!(Record::claim(Some(begun(2)), again, SOON, SECOND), Verdict::Wait { until: FIRST.until });
    assert_eq!(taken(Record::claim(Some(begun(2)), again, LATE, SECOND)).status, Status::Running(SECOND));
}

#[test]
fn earlier_round_gets_the_latest_reply() {
    for record in [open(3), running(3), begun(3), done(3)] {
        for (round, now) in [(1, SOON), (2, SOON), (2, LATE)] {
            let reply = EntrySlice::from(&b"latest"[..]);
            let done = record.status == Status::Done;
            assert_eq!(claim(Some(record.clone()), round, now), Verdict::Reply { reply, done });
        }
    }
}

#[test]
fn finished_call_returns_its_result_to_its_last_round() {
    assert_eq!(claim(Some(done(3)), 3, LATE), Verdict::Reply { reply: EntrySlice::from(&b"latest"[..]), done: true });
}

#[test]
fn missing_reply_is_reported_and_nothing_runs() {
    let record = Record { reply: Some(Kept::No), ..done(3) };
    assert_eq!(claim(Some(record), 3, LATE), Verdict::NotKept { done: true });
    let record = Record { reply: Some(Kept::No), ..open(3) };
    assert_eq!(claim(Some(record), 2, LATE), Verdict::NotKept { done: false });
}

/// This happens if the store lost a write but kept its id.
#[test]
fn round_later_than_the_record_is_gone() {
    for record in [open(2), running(2), begun(2), done(2)] {
        assert_eq!(claim(Some(record), 3, LATE), Verdict::Gone);
    }
}

#[test]
fn pass_opens_the_next_round_and_keeps_the_steps() {
    let [reply, journal] = [&b"question"[..], b"journal"].map(EntrySlice::from);
    let record = stepped(running(2)).pass(Kept::Yes(reply.clone()), Some(journal.clone()));
    let (reply, steps) = (Some(Kept::Yes(reply)), stepped(running(2)).steps);
    assert_eq!(record, Record { round: 3, status: Status::Open, reply, journal: Some(journal), steps });
}

#[test]
fn journal_stays_until_the_next_round_opens() {
    let journal = Some(EntrySlice::from(&b"journal"[..]));
    let record = Record { journal: journal.clone(), ..open(2) };
    let claimed = taken(claim(Some(record), 2, SOON));
    assert_eq!(claimed.journal, journal);
    assert_eq!(claimed.clone().begin(FIRST).renew(SECOND).journal, journal);
    assert_eq!(claimed.clone().release().journal, journal);
    assert_eq!(claimed.pass(Kept::No, None).journal, None);
}

#[test]
fn finish_keeps_the_result_and_drops_the_journal_and_the_steps() {
    let record = Record { journal: Some(EntrySlice::from(&b"journal"[..])), ..stepped(begun(2)) };
    let record = record.finish(Kept::Yes(EntrySlice::from(&b"result"[..])));
    let reply = Some(Kept::Yes(EntrySlice::from(&b"result"[..])));
    assert_eq!(record, Record { round: 2, status: Status::Done, reply, journal: None, steps: Vec::new() });
}

#[test]
fn release_reopens_the_round_and_keeps_the_steps() {
    assert_eq!(running(2).release(), open(2));
    assert_eq!(stepped(running(2)).release().steps, stepped(running(2)).steps);
}

#[test]
fn renew_changes_only_the_lease() {
    let later = Lease { until: LedgerTime(5000), ..FIRST };
    assert_eq!(running(2).renew(later), Record { status: Status::Running(later), ..running(2) });
    assert_eq!(begun(2).renew(later), Record { status: Status::Begun(later), ..begun(2) });
}

#[test]
fn record_is_held_by_its_holder_while_it_runs() {
    for (record, held) in [(open(2), false), (running(2), true), (begun(2), true), (done(2), false)] {
        assert_eq!(record.is_held_by(FIRST.holder), held);
        assert!(!record.is_held_by(SECOND.holder));
    }
}

#[test]
fn step_is_marked_as_begun_and_then_has_its_value() {
    let record = running(2).begin_step("charge", FIRST);
    assert_eq!(record.step("charge"), Some(&StepRecord { name: "charge".into(), value: None }));
    let record =
        record.begin_step("charge", FIRST).end_step("charge", Kept::Yes(EntrySlice::from(&b"receipt"[..])), FIRST);
    let value = Some(Kept::Yes(EntrySlice::from(&b"receipt"[..])));
    assert_eq!(record.steps, [StepRecord { name: "charge".into(), value }]);
    assert_eq!(record.clone().begin_step("charge", FIRST), record, "a value is not lost");
    assert_eq!(record.step("refund"), None);
}

#[test]
fn step_renews_the_lease() {
    let later = Lease { until: LedgerTime(5000), ..FIRST };
    assert_eq!(running(2).begin_step("charge", later).status, Status::Running(later));
    assert_eq!(running(2).end_step("charge", Kept::No, later).status, Status::Running(later));
}

#[test]
fn unreported_marks_are_removed() {
    let record = stepped(running(2)).without(&["begun".into(), "done".into(), "other".into()]);
    assert_eq!(record.steps, stepped(running(2)).steps[1..], "completed steps stay");
}

#[test]
fn takeover_keeps_the_steps() {
    let record = taken(claim(Some(stepped(running(2))), 2, LATE));
    assert_eq!(record.steps, stepped(running(2)).steps);
}

#[test]
fn steps_of_a_call_are_limited() {
    let head = StepRecord::HEAD + 1;
    let half = vec![0; LARGEST_STEPS / 2 - head];
    let record = running(2).end_step("a", Kept::Yes(EntrySlice::from(&*half)), FIRST);
    assert!(record.has_room_for("b", half.len()));
    assert!(!record.has_room_for("b", half.len() + 1));
    assert!(record.has_room_for("a", LARGEST_STEPS - head), "its old value does not count");
    assert!(!record.has_room_for(&"long".repeat(1000), 0), "a name has its own limit");
}

fn claim(record: Option<Record>, round: u32, now: LedgerTime) -> Verdict {
    Record::claim(record, WantedTurn { round, first: 1, anywhere: false, again: false }, now, SECOND)
}

fn taken(verdict: Verdict) -> Record {
    match verdict {
        Verdict::Take(record) => record,
        other => panic!("{other:?}"),
    }
}

fn open(round: u32) -> Record {
    let reply = Some(Kept::Yes(EntrySlice::from(&b"latest"[..])));
    Record { round, status: Status::Open, reply, journal: None, steps: Vec::new() }
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
    record.begin_step("begun", FIRST).end_step("done", Kept::Yes(EntrySlice::from(&b"value"[..])), FIRST)
}
