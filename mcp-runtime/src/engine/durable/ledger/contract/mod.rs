//! A test of the contract that every ledger must fulfil.

mod finish;
mod tested_store;
mod time;

use std::{
    collections::HashSet,
    pin::pin,
    sync::Arc,
    task::{Context, Waker},
};

use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use self::{
    finish::{
        finished_entry_expires, finished_entry_keeps_the_longest_keep_time, finished_entry_stays_without_its_value,
    },
    tested_store::{Attempts, LONG, SHORT, TestedStore, expect},
    time::{
        entry_is_kept_until_the_deadline_of_its_swap, swap_is_rejected_after_its_deadline,
        time_advances_for_all_instances,
    },
};
use super::{Ledger, LedgerEntry, LedgerId, LedgerKey, LedgerVersion, Swapped, interface::WITHOUT_DEADLINE};
use crate::engine::call::lease::LedgerError;

const IS_KEPT: &str = "`load` must return an entry from its first write until it expires";

/// Tests that a [`Ledger`] fulfils its contract. Call it in the tests of your own ledger.
///
/// Each call of `open` returns a new handle to the same store, for example a new connection to the same database. The
/// handles stand for the instances of a server. The test takes a few seconds of real time, because entries have to
/// expire. The test leaves entries in the store, and these expire too. The store does not have to be empty before the
/// test.
///
/// ```
/// use mcp_runtime::{store::MemoryLedger, testing::ledger_contract};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let ledger = MemoryLedger::new();
/// ledger_contract(async || ledger.clone()).await;
/// # });
/// ```
///
/// The documentation of [`Ledger`] has more rules, which this function cannot test: entries survive a crash, an emptied
/// store has a new id, and no entry is evicted to make room.
///
/// # Panics
///
/// Panics if the ledger breaks the contract, or one of its operations fails.
pub async fn ledger_contract<L: Ledger>(open: impl AsyncFn() -> L) {
    let id = expect(open().await.id().await);
    let run = LedgerId::random();
    let store = async |check: &str| TestedStore {
        one: Arc::new(open().await),
        other: Arc::new(open().await),
        id,
        name: format!("contract:{run}:{check}"),
    };
    id_belongs_to_the_store(&store("id").await).await;
    entry_is_absent_until_it_is_written(&store("absent").await).await;
    swap_fails_if_the_version_changed(&store("seen").await).await;
    one_of_many_concurrent_swaps_succeeds(&store("race").await).await;
    no_swap_is_lost(&store("count").await).await;
    values_round_trip(&store("values").await).await;
    keys_are_distinct(&store("keys").await).await;
    dropped_swap_is_atomic(&store("dropped").await).await;
    entry_expires_and_its_version_is_not_reused(&store("expiry").await).await;
    longest_keep_time_wins(&store("keep").await).await;
    time_advances_for_all_instances(&store("time").await).await;
    swap_is_rejected_after_its_deadline(&store("late").await).await;
    entry_is_kept_until_the_deadline_of_its_swap(&store("until").await).await;
    finished_entry_stays_without_its_value(&store("finish").await).await;
    finished_entry_expires(&store("finished").await).await;
    finished_entry_keeps_the_longest_keep_time(&store("long").await).await;
}

async fn id_belongs_to_the_store(store: &TestedStore<impl Ledger>) {
    assert_eq!(expect(store.one.id().await), store.id, "`id` must return the same id every time");
    assert_eq!(expect(store.other.id().await), store.id, "`id` must return the same id on every instance");
    let stranger = LedgerKey::new(LedgerId::random(), &store.name);
    let loaded = store.one.load(stranger).await;
    assert!(matches!(loaded, Err(LedgerError::Replaced)), "`load` must reject a key of another ledger: {loaded:?}");
    let swapped = store.one.swap(stranger, None, Arc::default(), LONG, None).await;
    assert!(matches!(swapped, Err(LedgerError::Replaced)), "`swap` must reject a key of another ledger: {swapped:?}");
    assert_eq!(store.load().await, None, "a `swap` with a key of another ledger must not write");
}

async fn entry_is_absent_until_it_is_written(store: &TestedStore<impl Ledger>) {
    assert_eq!(store.load().await, None);
    let version = store.write(None, b"written", LONG).await;
    let entry = LedgerEntry { value: b"written"[..].into(), version };
    assert_eq!(store.load().await, Some(entry), "`load` must return an entry that another instance has just written");
}

async fn swap_fails_if_the_version_changed(store: &TestedStore<impl Ledger>) {
    let absent = store.swap(Some(LedgerVersion(1)), b"", LONG).await;
    assert_eq!(absent, Swapped::Conflict(None), "`swap` with a version must return `Conflict` if the entry is absent");
    let first = store.write(None, b"first", LONG).await;
    let second = store.write(Some(first), b"second", LONG).await;
    assert_ne!(first, second, "every write must get a new version");
    let entry = LedgerEntry { value: b"second"[..].into(), version: second };
    for seen in [None, Some(first)] {
        let swapped = store.swap(seen, b"third", LONG).await;
        assert_eq!(
            swapped,
            Swapped::Conflict(Some(entry.clone())),
            "if the version differs, `swap` must return `Conflict` with the current entry"
        );
    }
    assert_eq!(store.load().await, Some(entry), "a `swap` that returns `Conflict` must not write");
}

async fn one_of_many_concurrent_swaps_succeeds(store: &TestedStore<impl Ledger>) {
    let mut seen = None;
    for round in 0..8 {
        let mut swaps = JoinSet::new();
        for number in 0..16_u8 {
            let (ledger, id, name) = (store.handle(number), store.id, store.name.clone());
            swaps.spawn(async move {
                let swapped = ledger.swap(LedgerKey::new(id, &name), seen, Arc::new([round, number]), LONG, None).await;
                (number, expect(swapped))
            });
        }
        let mut done = Vec::new();
        let mut found = HashSet::new();
        for (number, swapped) in swaps.join_all().await {
            match swapped {
                Swapped::Done(version) => done.push((version, [round, number])),
                Swapped::Conflict(entry) => {
                    found.insert(entry.map(|entry| (entry.version, entry.value.to_vec())));
                }
                Swapped::TooLate => panic!("{WITHOUT_DEADLINE}"),
            }
        }
        let [(version, value)] = done[..] else {
            panic!(
                "exactly one of 16 concurrent swaps with the version {seen:?} must succeed, but {} succeeded",
                done.len()
            )
        };
        let conflicts: Vec<_> = found.into_iter().collect();
        assert_eq!(conflicts, [Some((version, value.to_vec()))], "on a conflict, `swap` must return the stored entry");
        seen = Some(version);
    }
}

async fn no_swap_is_lost(store: &TestedStore<impl Ledger>) {
    let mut tasks = JoinSet::new();
    for number in 0..8_u8 {
        let (ledger, id, name) = (store.handle(number), store.id, store.name.clone());
        tasks.spawn(async move {
            let mut versions = Vec::new();
            let mut entry: Option<LedgerEntry> = None;
            while versions.len() < 20 {
                let count = entry.as_ref().map_or(0, count) + 1;
                let seen = entry.as_ref().map(|entry| entry.version);
                let value: Arc<[u8]> = Arc::new(count.to_le_bytes());
                match expect(ledger.swap(LedgerKey::new(id, &name), seen, Arc::clone(&value), LONG, None).await) {
                    Swapped::Done(version) => {
                        versions.push(version);
                        entry = Some(LedgerEntry { value, version });
                    }
                    Swapped::Conflict(newer) => entry = newer,
                    Swapped::TooLate => panic!("{WITHOUT_DEADLINE}"),
                }
            }
            versions
        });
    }
    let versions: HashSet<_> = tasks.join_all().await.into_iter().flatten().collect();
    assert_eq!(versions.len(), 160, "two writes to a key must not get the same version");
    let entry = store.load().await.expect(IS_KEPT);
    assert_eq!(count(&entry), 160, "8 tasks added 1 to the value 20 times each, so it must be 160");
}

async fn values_round_trip(store: &TestedStore<impl Ledger>) {
    let mut seen = None;
    let everything: Vec<u8> = (0..=255).collect();
    for value in [&everything[..], b"", &vec![0xA5; 1024 * 1024], &everything.repeat(1024)] {
        let version = store.write(seen, value, LONG).await;
        let entry = store.load().await.expect(IS_KEPT);
        assert!(*entry.value == *value, "`load` must return a value of {} bytes unchanged", value.len());
        assert_eq!(entry.version, version);
        seen = Some(version);
    }
}

async fn keys_are_distinct(store: &TestedStore<impl Ledger>) {
    let stem = &store.name;
    let mut names: Vec<_> = ["", ":a", ":A", ":a:", ":a-", ":a_"].map(|end| format!("{stem}{end}")).into();
    names.push(format!("{stem:z<128}"));
    names.push(format!("{stem:z<127}"));
    for name in &names {
        let swapped = store.one.swap(LedgerKey::new(store.id, name), None, name.as_bytes().into(), LONG, None).await;
        assert!(matches!(swapped, Ok(Swapped::Done(_))), "the new key `{name}` must be writable: {swapped:?}");
    }
    for name in &names {
        let entry = expect(store.other.load(LedgerKey::new(store.id, name)).await);
        assert_eq!(
            entry.map(|entry| entry.value.to_vec()),
            Some(name.clone().into_bytes()),
            "`load` must return the value of the key `{name}`"
        );
    }
}

async fn dropped_swap_is_atomic(store: &TestedStore<impl Ledger>) {
    let seen = store.write(None, b"before", LONG).await;
    {
        let swap = pin!(store.one.swap(store.key(), Some(seen), b"dropped"[..].into(), LONG, None));
        let _ = swap.poll(&mut Context::from_waker(Waker::noop()));
    }
    // The dropped swap can still take effect a little later. In that case this swap is a conflict.
    let swapped = store.swap(Some(seen), b"after", LONG).await;
    let entry = store.load().await.expect(IS_KEPT);
    match swapped {
        Swapped::Done(version) => assert_eq!((&*entry.value, entry.version), (&b"after"[..], version)),
        Swapped::Conflict(conflict) => assert_eq!((conflict, &*entry.value), (Some(entry.clone()), &b"dropped"[..])),
        Swapped::TooLate => panic!("{WITHOUT_DEADLINE}"),
    }
}

async fn entry_expires_and_its_version_is_not_reused(store: &TestedStore<impl Ledger>) {
    let mut versions = HashSet::new();
    for _ in 0..2 {
        let start = Instant::now();
        let version = store.write(None, b"short", SHORT).await;
        assert!(versions.insert(version), "a new entry must not reuse a version of the expired entry");
        let loaded = store.load().await;
        assert!(loaded.is_some() || SHORT <= start.elapsed(), "an entry must be kept for its `keep` time");
        store.is_gone(start, SHORT).await;
        let swapped = store.swap(Some(version), b"late", SHORT).await;
        assert_eq!(
            swapped,
            Swapped::Conflict(None),
            "`swap` with the version of an expired entry must return `Conflict`"
        );
    }
}

async fn longest_keep_time_wins(store: &TestedStore<impl Ledger>) {
    let mut attempts = Attempts::new();
    let start = loop {
        attempts.begin();
        let start = Instant::now();
        let short = store.write(None, b"short", SHORT).await;
        let long = store.swap(Some(short), b"long", 3 * SHORT).await;
        let last = match long {
            Swapped::Done(long) => store.swap(Some(long), b"short again", SHORT / 2).await,
            other => other,
        };
        if matches!(last, Swapped::Done(_)) {
            break start;
        }
        assert!(
            last == Swapped::Conflict(None) && SHORT <= start.elapsed(),
            "`swap` with the current version: {last:?}"
        );
    };
    sleep(2 * SHORT).await;
    let loaded = store.load().await;
    assert!(
        loaded.is_some() || 3 * SHORT <= start.elapsed(),
        "an entry must be kept for the longest `keep` time of its swaps"
    );
    store.is_gone(start, 3 * SHORT).await;
}

fn count(entry: &LedgerEntry) -> u64 {
    u64::from_le_bytes((*entry.value).try_into().expect("`load` must return a value unchanged"))
}
