//! The ledger in memory.

use std::{sync::Arc, time::Duration};

use tokio::time::{advance, sleep};

use super::{
    super::{Ledger, LedgerEntry, LedgerKey, LedgerVersion, MemoryLedger, Swapped, contract::ledger_contract},
    HOUR, at_once,
};
use crate::engine::call::lease::LedgerError;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fulfils_the_contract() {
    let ledger = MemoryLedger::new();
    ledger_contract(async || ledger.clone()).await;
}

#[tokio::test(start_paused = true)]
async fn fulfils_the_contract_in_paused_time() {
    let ledger = MemoryLedger::new();
    ledger_contract(async || ledger.clone()).await;
}

#[tokio::test]
async fn every_ledger_has_its_own_id() {
    let (one, other) = (MemoryLedger::new(), MemoryLedger::new());
    assert_ne!(one.id().await.unwrap(), other.id().await.unwrap());
}

#[tokio::test]
async fn rejects_one_entry_too_many_but_updates_existing_ones() {
    let ledger = MemoryLedger::with_limits(2, 1 << 20);
    let seen = write(&ledger, "a", None, &[]).await.unwrap();
    write(&ledger, "b", None, &[]).await.unwrap();
    assert!(matches!(write(&ledger, "c", None, &[]).await, Err(LedgerError::Full)));
    write(&ledger, "a", Some(seen), &[0; 1000]).await.unwrap();
}

#[tokio::test]
async fn new_calls_get_half_of_the_bytes_and_open_calls_grow_to_three_quarters() {
    let ledger = MemoryLedger::with_limits(100, 16_000);
    let has_room = |bytes| ledger.room().is_some_and(|room| bytes <= room.bytes);
    assert!(has_room(4000) && !has_room(4001), "at most a quarter is promised");
    let seen = write(&ledger, "a", None, &[0; 6000]).await.unwrap();
    assert!(has_room(1000) && !has_room(2000));
    let seen = write(&ledger, "a", Some(seen), &[0; 11_000]).await.unwrap();
    assert!(!has_room(1), "half of the bytes are used");
    assert!(matches!(write(&ledger, "a", Some(seen), &[0; 12_000]).await, Err(LedgerError::Full)));
    write(&ledger, "b", None, &[0; 4000]).await.expect("room that was promised");
    assert!(matches!(write(&ledger, "c", None, &[0; 1000]).await, Err(LedgerError::Full)), "all bytes are used");
    let seen = write(&ledger, "a", Some(seen), &[0; 1000]).await.expect("a smaller value always fits");
    assert!(has_room(1000));
    write(&ledger, "a", Some(seen), &[]).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn full_ledger_accepts_new_entries_after_older_ones_expire() {
    let ledger = MemoryLedger::with_limits(5000, 1 << 24);
    for number in 0..5000 {
        write(&ledger, &format!("call:{number}"), None, &[]).await.unwrap();
    }
    assert!(matches!(write(&ledger, "new", None, &[]).await, Err(LedgerError::Full)));
    advance(HOUR).await;
    write(&ledger, "new", None, &[]).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn expired_entries_are_freed_without_further_operations() {
    let ledger = MemoryLedger::new();
    for number in 0..5000 {
        write(&ledger, &format!("call:{number}"), None, &[0; 100]).await.unwrap();
    }
    let renewed = write(&ledger, "renewed", None, &[]).await.unwrap();
    sleep(HOUR / 2).await;
    write(&ledger, "renewed", Some(renewed), &[]).await.unwrap();
    sleep(HOUR / 2 + Duration::from_secs(11)).await;
    assert_eq!(ledger.entries(), 1);
    sleep(HOUR / 2).await;
    assert_eq!((ledger.entries(), ledger.bytes()), (0, 0));
    assert!(ledger.allocated() < 512 * 1024, "{} bytes", ledger.allocated());
}

#[test]
fn expired_entries_are_freed_in_a_second_runtime() {
    let ledger = MemoryLedger::new();
    for hours in [2, 4] {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            write(&ledger, "a", None, &[]).await.unwrap();
            sleep(hours * HOUR).await;
            assert_eq!(ledger.entries(), 0);
            write(&ledger, "b", None, &[]).await.unwrap();
        });
        // The runtime ends. This also ends the task that would have freed `b`.
        drop(runtime);
    }
}

/// Without an async runtime, no task removes expired entries. Each swap removes a few of them.
#[test]
fn needs_no_runtime_and_completes_at_the_first_poll() {
    let ledger = MemoryLedger::new();
    let id = at_once(ledger.id()).unwrap();
    let short = Duration::from_millis(1);
    for number in 0..100 {
        let name = number.to_string();
        at_once(ledger.swap(LedgerKey::new(id, &name), None, Arc::default(), short, None)).unwrap();
    }
    std::thread::sleep(2 * short);
    let key = LedgerKey::new(id, "new");
    let swapped = at_once(ledger.swap(key, None, Arc::default(), HOUR, None)).unwrap();
    let Swapped::Done(version) = swapped else { panic!("{swapped:?}") };
    assert_eq!(at_once(ledger.load(key)).unwrap(), Some(LedgerEntry { value: Arc::default(), version }));
    assert!(ledger.entries() <= 70, "{} entries", ledger.entries());
}

/// When a runtime ends, it drops its tasks in any order. A value in such a task can write to the ledger.
#[test]
fn can_be_written_while_a_runtime_ends() {
    struct Writes(MemoryLedger, u8);

    impl Drop for Writes {
        fn drop(&mut self) {
            let key = LedgerKey::new(at_once(self.0.id()).unwrap(), if self.1 < 4 { "before" } else { "after" });
            at_once(self.0.swap(key, None, Arc::default(), HOUR, None)).unwrap();
        }
    }

    let ledger = MemoryLedger::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        for number in 0..8 {
            if number == 4 {
                write(&ledger, "first", None, &[]).await.unwrap();
            }
            let writes = Writes(ledger.clone(), number);
            drop(tokio::spawn(async move {
                std::future::pending::<()>().await;
                drop(writes);
            }));
        }
        tokio::task::yield_now().await;
    });
    drop(runtime);
    assert_eq!(ledger.entries(), 3);
}

#[tokio::test]
async fn each_record_costs_less_than_256_bytes_of_overhead() {
    const RECORDS: usize = 10_000;
    let ledger = MemoryLedger::new();
    let (name, value) = (|number: usize| format!("call:{number:022}"), [7; 1000]);
    for number in 0..RECORDS {
        write(&ledger, &name(number), None, &value).await.unwrap();
    }
    let own = RECORDS * (name(0).len() + value.len());
    let each = (ledger.allocated() - own) / RECORDS;
    assert!(each < 256, "{each} bytes each");
    assert!(ledger.allocated() <= ledger.bytes(), "the count is not less than the allocated bytes");
}

#[tokio::test(start_paused = true)]
async fn finished_calls_never_fill_the_ledger() {
    const CALLS: u64 = 200_000;
    let ledger = MemoryLedger::with_limits(1000, 1 << 20);
    let id = |number: u64| format!("{number:016x}{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut most = 0;
    for number in 0..CALLS {
        assert!(ledger.room().is_some_and(|room| room.entries > 0 && room.bytes > 1000));
        finish(&ledger, &id(number), &[7; 100]).await;
        most = most.max(ledger.allocated());
    }
    assert!(most < 1 << 20, "{most} bytes");
    assert!(ledger.bytes() < 1 << 20, "{} bytes as counted", ledger.bytes());
    for number in (0..CALLS).step_by(997) {
        let name = id(number);
        let key = LedgerKey::new(ledger.id().await.unwrap(), &name);
        let Some(LedgerEntry { value, version }) = ledger.load(key).await.unwrap() else { panic!("{number} is gone") };
        assert!(value.is_empty() || number + 1000 > CALLS, "{number} has {} bytes", value.len());
        let again = ledger.swap(key, None, Arc::new([1]), HOUR, None).await.unwrap();
        assert_eq!(again, Swapped::Conflict(Some(LedgerEntry { value, version })));
    }
    let name = id(CALLS);
    assert_eq!(ledger.load(LedgerKey::new(ledger.id().await.unwrap(), &name)).await.unwrap(), None);
    sleep(HOUR + Duration::from_secs(11)).await;
    assert_eq!((ledger.entries(), ledger.bytes()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn replies_take_a_quarter_of_the_bytes_and_open_calls_are_not_evicted() {
    let ledger = MemoryLedger::with_limits(1000, 1 << 20);
    let open = write(&ledger, "00000000000000000000000000000000", None, &[1; 1000]).await.unwrap();
    for number in 1..1000 {
        finish(&ledger, &format!("{number:016x}{:016x}", 7), &[7; 10_000]).await;
        assert!(ledger.bytes() < (1 << 18) + 14_000, "{} bytes", ledger.bytes());
    }
    write(&ledger, "00000000000000000000000000000000", Some(open), &[2; 1000]).await.unwrap();
}

/// The id of a call with an idempotency key is a digest. Its first half is almost random, so the tombstone of the call
/// is almost always alone in its group.
#[tokio::test(start_paused = true)]
async fn finished_call_with_a_digest_id_leaves_less_than_200_bytes() {
    const CALLS: u64 = 10_000;
    let ledger = MemoryLedger::with_limits(100, 1 << 24);
    let id = |number: u64| format!("{:016x}{number:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for number in 0..CALLS {
        finish(&ledger, &id(number), &[]).await;
    }
    let each = ledger.bytes() as u64 / CALLS;
    assert!((100..200).contains(&each), "{each} bytes each");
    assert!(ledger.allocated() <= ledger.bytes(), "the count is not less than the allocated bytes");
    for number in 0..CALLS {
        let name = id(number);
        assert!(ledger.load(LedgerKey::new(ledger.id().await.unwrap(), &name)).await.unwrap().is_some());
    }
}

async fn finish(ledger: &MemoryLedger, name: &str, value: &[u8]) {
    let key = LedgerKey::new(ledger.id().await.unwrap(), name);
    let swapped = ledger.swap(key, None, Arc::new([0]), HOUR, None).await.unwrap();
    let Swapped::Done(seen) = swapped else { panic!("{swapped:?}") };
    let finished = ledger.finish(key, Some(seen), value.into(), HOUR).await.unwrap();
    assert!(matches!(finished, Swapped::Done(_)), "{finished:?}");
}

async fn write(
    ledger: &MemoryLedger,
    name: &str,
    seen: Option<LedgerVersion>,
    value: &[u8],
) -> Result<LedgerVersion, LedgerError> {
    let key = LedgerKey::new(ledger.id().await?, name);
    match ledger.swap(key, seen, value.into(), HOUR, None).await? {
        Swapped::Done(version) => {
            assert_eq!(ledger.load(key).await?, Some(LedgerEntry { value: value.into(), version }));
            Ok(version)
        }
        swapped => panic!("{swapped:?}"),
    }
}
