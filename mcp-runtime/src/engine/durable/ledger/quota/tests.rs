//! Tests that waiting calls count against their owner's quota, and that the quota is released.

use tokio::time::advance;

use super::*;
use crate::engine::durable::ledger::expiry::LARGE;

const HOUR: Duration = Duration::from_secs(3600);

fn quotas(calls: usize, bytes: usize) -> Arc<Quotas> {
    Quotas::new(QuotaLimits { calls, bytes, parked: 2 }, Parkable { calls: 3, bytes: 1 << 20 })
}

fn owner(name: &str) -> Owner {
    Owner::Principal(name.into())
}

fn holds(bytes: usize, is_recorded: bool) -> KeptSize {
    KeptSize { bytes, spilled: 0, is_parked: false, is_recorded, keep: HOUR }
}

#[tokio::test(start_paused = true)]
async fn rejects_only_the_owner_over_its_quota_until_its_calls_expire() {
    let quotas = quotas(2, 1 << 20);
    let (ann, bob) = (owner("ann"), owner("bob"));
    for _ in 0..2 {
        let admission = quotas.admit(Some(&ann), 10, false, || None).unwrap();
        quotas.keep(CallId::random(), Some(admission), || None, holds(10, true));
    }
    assert_eq!(quotas.admit(Some(&ann), 10, false, || None).err(), Some(NoCapacity::Owner));
    assert!(quotas.admit(Some(&bob), 10, false, || None).is_ok());
    assert!(quotas.admit(None, 10, false, || None).is_ok(), "a client without an identity has no quota");
    advance(HOUR).await;
    assert!(quotas.admit(Some(&ann), 10, false, || None).is_ok());
}

#[tokio::test(start_paused = true)]
async fn finished_call_counts_only_with_a_key_or_a_stored_journal() {
    let quotas = quotas(1, 1 << 20);
    let ann = owner("ann");
    let admit = || quotas.admit(Some(&ann), 10, false, || None);
    for _ in 0..5000 {
        let call = CallId::new();
        quotas.keep(call, Some(admit().unwrap()), || None, holds(10, true));
        assert_eq!(admit().err(), Some(NoCapacity::Owner), "the call is open");
        quotas.finish(call, false, None, || None, holds(10, true));
    }
    let first_round = admit().unwrap();
    quotas.finish(CallId::new(), false, Some(first_round), || None, holds(10, true));
    assert!(quotas.table.lock().by_expiry.len() < 2 * LARGE, "{} queued calls", quotas.table.lock().by_expiry.len());

    let with_journal = CallId::new();
    quotas.keep(with_journal, Some(admit().unwrap()), || None, KeptSize { spilled: 100, ..holds(10, true) });
    quotas.finish(with_journal, false, None, || None, holds(10, true));
    assert_eq!(admit().err(), Some(NoCapacity::Owner));
    advance(HOUR).await;

    quotas.finish(CallId::random(), true, Some(admit().unwrap()), || None, holds(10, true));
    assert_eq!(admit().err(), Some(NoCapacity::Owner));
    advance(HOUR).await;
    assert!(admit().is_ok());
}

#[tokio::test(start_paused = true)]
async fn counts_stored_bytes_and_admits_a_single_call_of_any_size() {
    let quotas = quotas(100, 100_000);
    let ann = owner("ann");
    let admission = quotas.admit(Some(&ann), 1 << 20, false, || None).unwrap();
    assert_eq!(quotas.admit(Some(&ann), 0, false, || None).err(), Some(NoCapacity::Owner));
    let call = CallId::random();
    quotas.keep(call, Some(admission), || None, KeptSize { spilled: 40_000, ..holds(0, false) });
    quotas.keep(call, None, || None, KeptSize { spilled: 40_000, ..holds(0, true) });
    assert_eq!(quotas.admit(Some(&ann), 10_000, false, || None).err(), Some(NoCapacity::Owner));
    assert!(quotas.admit(Some(&ann), 1000, false, || None).is_ok());
}

#[tokio::test(start_paused = true)]
async fn dropped_admission_is_released() {
    let quotas = quotas(1, 1 << 20);
    let ann = owner("ann");
    drop(quotas.admit(Some(&ann), 10, true, || None).unwrap());
    let table = quotas.table.lock();
    assert_eq!((table.all, table.promised, table.owners.len()), (OwnerUsage::default(), OwnerUsage::default(), 0));
}

#[tokio::test(start_paused = true)]
async fn second_admission_of_a_counted_call_is_released() {
    let quotas = quotas(3, 1 << 20);
    let (ann, call) = (owner("ann"), CallId::random());
    let admit = || quotas.admit(Some(&ann), 10, false, || None).ok();
    let (first, second) = (admit(), admit());
    quotas.keep(call, first, || None, holds(10, true));
    quotas.keep(call, second, || None, holds(10, true));
    assert_eq!(quotas.table.lock().owners[&ann].calls, 1);
}

#[tokio::test(start_paused = true)]
async fn limits_parked_calls_per_owner_and_in_total() {
    let quotas = quotas(100, 1 << 20);
    let (ann, bob, eve) = (owner("ann"), owner("bob"), owner("eve"));
    let _held = [&ann, &ann].map(|owner| quotas.admit(Some(owner), 0, true, || None).unwrap());
    assert_eq!(quotas.admit(Some(&ann), 0, true, || None).err(), Some(NoCapacity::Owner));
    assert!(quotas.admit(Some(&ann), 0, false, || None).is_ok());
    let _last = quotas.admit(Some(&bob), 0, true, || None).unwrap();
    assert_eq!(quotas.admit(Some(&eve), 0, true, || None).err(), Some(NoCapacity::Server));
    assert!(quotas.admit(Some(&eve), 0, false, || None).is_ok());
}

#[tokio::test(start_paused = true)]
async fn limits_bytes_of_parked_calls_of_all_owners() {
    let quotas = quotas(100, 1 << 20);
    let (ann, bob, eve) = (owner("ann"), owner("bob"), owner("eve"));
    let parked = quotas.admit(Some(&ann), 1 << 18, true, || None).unwrap();
    let call = CallId::random();
    quotas.keep(call, Some(parked), || None, KeptSize { is_parked: true, ..holds(1 << 19, false) });
    let _in_session = quotas.admit_in_session(&bob, 1 << 17).unwrap();
    assert_eq!(quotas.admit(Some(&eve), 1 << 17, true, || None).err(), Some(NoCapacity::Server));
    assert_eq!(quotas.admit_in_session(&eve, 1 << 17).err(), Some(NoCapacity::Server));
    assert!(quotas.admit(Some(&eve), 1 << 17, false, || None).is_ok(), "its client carries the journal");
    quotas.keep(call, None, || None, holds(1 << 19, true));
    assert!(quotas.admit_in_session(&eve, 1 << 17).is_ok());
}

#[tokio::test(start_paused = true)]
async fn reserved_room_is_not_reserved_again() {
    let quotas = quotas(100, 1 << 20);
    let room = || Some(LedgerCapacity { entries: 2, bytes: 1 << 20 });
    let admission = quotas.admit(None, 0, false, room).unwrap();
    let call = CallId::random();
    quotas.keep(call, Some(admission), || None, holds(0, false));
    let _second = quotas.admit(None, 0, false, room).unwrap();
    assert_eq!(quotas.admit(None, 0, false, room).err(), Some(NoCapacity::Server));
    quotas.keep(call, None, || None, holds(0, true));
    assert!(quotas.admit(None, 0, false, room).is_ok(), "the ledger counts the record now");
}

#[tokio::test(start_paused = true)]
async fn call_in_a_session_counts_until_it_ends_and_needs_no_ledger_room() {
    let quotas = quotas(1, 1 << 20);
    let (ann, bob) = (owner("ann"), owner("bob"));
    let admission = quotas.admit_in_session(&ann, 100_000).unwrap();
    let room = || Some(LedgerCapacity { entries: 1, bytes: CALL });
    assert!(quotas.admit(Some(&bob), 0, false, room).is_ok());
    assert_eq!(quotas.admit_in_session(&ann, 0).err(), Some(NoCapacity::Owner));
    drop(admission);
    assert!(quotas.admit_in_session(&ann, 0).is_ok());
    let table = quotas.table.lock();
    assert_eq!((table.all, table.promised), (OwnerUsage::default(), OwnerUsage::default()));
}

#[tokio::test(start_paused = true)]
async fn cancelled_call_counts_only_the_bytes_that_the_ledger_keeps() {
    let quotas = quotas(1, 1000);
    let ann = owner("ann");
    let admit = || quotas.admit(Some(&ann), 0, true, || None);
    let begin = |spilled| {
        let call = CallId::random();
        let holds = KeptSize { spilled, is_parked: true, ..holds(10, true) };
        quotas.keep(call, Some(admit().unwrap()), || None, holds);
        assert_eq!(admit().err(), Some(NoCapacity::Owner));
        call
    };
    for _ in 0..5000 {
        quotas.cancel(begin(0), false);
    }
    assert!(quotas.table.lock().owners.is_empty());
    quotas.cancel(begin(0), true);
    let usage = |bytes| OwnerUsage { bytes, ..OwnerUsage::default() };
    assert_eq!(quotas.table.lock().owners[&ann], usage(KEYED));
    quotas.cancel(CallId::random(), true);
    assert_eq!(quotas.table.lock().all, usage(KEYED));
    advance(HOUR).await;
    quotas.sweep();
    assert_eq!(quotas.table.lock().all, usage(0));
}
