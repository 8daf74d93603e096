//! A test of the rules that every store of runs must follow.

use std::collections::HashSet;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{InstanceBeat, RunFilter, RunRecord, RunStatus, RunStore, RunStoreFuture};
use crate::random;

/// Tests that a [`RunStore`] follows its rules. Call it in the tests of your own store.
///
/// Each call of `open` returns a new handle to the same store, for example a new connection to the same database. The
/// handles stand for the processes that share the store. The test leaves runs behind; the store does not have to be
/// empty.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_runtime::{runs::MemoryRunStore, testing::run_store_contract};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// let store = Arc::new(MemoryRunStore::new());
/// run_store_contract(async || Arc::clone(&store)).await;
/// # });
/// ```
///
/// # Panics
///
/// Panics if the store breaks a rule, or if one of its operations fails.
pub async fn run_store_contract<S: RunStore>(open: impl AsyncFn() -> S) {
    let (first, second) = (open().await, open().await);
    record_is_stored_as_it_is(&first, &second).await;
    limit_counts_the_open_runs_of_one_owner_and_tool(&first, &second).await;
    concurrent_inserts_keep_the_limit(&open).await;
    replace_needs_the_current_version(&first, &second).await;
    one_of_many_writers_wins(&open).await;
    lists_are_ordered_filtered_and_paged(&first, &second).await;
    beats_are_counted_for_each_instance(&first, &second).await;
    ended_runs_are_removed_by_age_and_by_number(&first, &second).await;
}

async fn expect<T>(operation: RunStoreFuture<'_, T>) -> T {
    operation.await.unwrap_or_else(|error| panic!("an operation failed: {error}"))
}

/// A run of a tool that no other test uses.
fn run(tool: &str, owner: Option<&str>, created_at: u64) -> RunRecord {
    RunRecord::new(tool, "sort", owner, "instance", created_at)
}

fn new_tool() -> String {
    format!("tool-{}", random::hex())
}

async fn record_is_stored_as_it_is(first: &impl RunStore, second: &impl RunStore) {
    assert_eq!(
        expect(first.load(&random::hex())).await,
        None,
        "`load` must return `None` for a run that was never stored"
    );
    let large = "ä\u{1F600}\"\\".repeat(200_000);
    for (owner, details) in [(None, Value::Null), (Some(""), json!({ "text": large })), (Some("Ännchen"), json!([1.5]))]
    {
        let run = RunRecord { details, ..run(&new_tool(), owner, u64::from(u32::MAX) * 1000) };
        assert!(
            expect(first.insert(&run, 1)).await,
            "`insert` must store a run if the limit of open runs is not reached"
        );
        assert_eq!(expect(second.load(&run.id)).await, Some(run), "`load` must return a run unchanged");
    }
}

async fn limit_counts_the_open_runs_of_one_owner_and_tool(first: &impl RunStore, second: &impl RunStore) {
    let tool = new_tool();
    let mut open = run(&tool, Some("ann"), 1);
    assert!(expect(first.insert(&open, 1)).await);
    assert!(
        !expect(second.insert(&run(&tool, Some("ann"), 2), 1)).await,
        "`insert` must not store a run if the limit of open runs is reached"
    );
    for other in [run(&tool, Some("bob"), 3), run(&tool, None, 4), run(&new_tool(), Some("ann"), 5)] {
        assert!(expect(first.insert(&other, 1)).await, "the limit must not count runs of another owner or tool");
    }
    for status in [RunStatus::InputRequired, RunStatus::Completed] {
        open.status = status;
        assert!(expect(first.replace(&open)).await);
        open.version += 1;
        let has_room = expect(second.insert(&run(&tool, Some("ann"), 6), 1)).await;
        assert_eq!(
            has_room,
            !status.is_open(),
            "the limit must count all open runs and no other runs, but counts a run with the status `{status}` wrongly"
        );
    }
}

async fn concurrent_inserts_keep_the_limit<S: RunStore>(open: &impl AsyncFn() -> S) {
    let (tool, mut inserts) = (new_tool(), JoinSet::new());
    for number in 0..16 {
        let (store, run) = (open().await, run(&tool, Some("ann"), number));
        inserts.spawn(async move { expect(store.insert(&run, 5)).await });
    }
    let stored = inserts.join_all().await.into_iter().filter(|stored| *stored).count();
    assert_eq!(stored, 5, "exactly 5 of 16 concurrent inserts must succeed, because the limit of open runs is 5");
}

async fn replace_needs_the_current_version(first: &impl RunStore, second: &impl RunStore) {
    let mut old = run(&new_tool(), None, 1);
    assert!(!expect(first.replace(&old)).await, "`replace` must return `false` for a run that was never stored");
    assert!(expect(first.insert(&old, 1)).await);
    let new = RunRecord {
        status: RunStatus::Failed,
        instance: "other".to_owned(),
        updated_at: 9,
        details: json!({ "error": "x" }),
        ..old.clone()
    };
    assert!(expect(second.replace(&new)).await, "`replace` must return `true` for the current version");
    let stored = expect(first.load(&old.id)).await;
    assert_eq!(
        stored,
        Some(RunRecord { version: old.version + 1, ..new.clone() }),
        "`replace` must store the run with the next version"
    );
    old.details = json!("late");
    assert!(!expect(first.replace(&old)).await, "`replace` must return `false` for an old version");
    assert_eq!(
        expect(first.load(&old.id)).await,
        stored,
        "a `replace` that returns `false` must not change the stored run"
    );
}

async fn one_of_many_writers_wins<S: RunStore>(open: &impl AsyncFn() -> S) {
    let (run, mut writers) = (run(&new_tool(), None, 1), JoinSet::new());
    assert!(expect(open().await.insert(&run, 1)).await);
    for number in 0..16 {
        let (store, run) = (open().await, RunRecord { details: json!(number), ..run.clone() });
        writers.spawn(async move { expect(store.replace(&run)).await });
    }
    let written = writers.join_all().await.into_iter().filter(|written| *written).count();
    assert_eq!(written, 1, "exactly one of 16 concurrent calls of `replace` with the same version must succeed");
}

async fn lists_are_ordered_filtered_and_paged(first: &impl RunStore, second: &impl RunStore) {
    let tool = new_tool();
    let mut all = Vec::new();
    for number in 0..12_u64 {
        let owner = [None, Some(""), Some("ann")][usize::try_from(number % 3).unwrap_or_default()];
        // Several runs have the same time.
        let mut run = run(&tool, owner, number / 4);
        run.status = if number % 2 == 0 { RunStatus::Working } else { RunStatus::Cancelled };
        run.instance = format!("i{}", number % 4);
        run.action = if number < 6 { "sort" } else { "join" }.to_owned();
        assert!(expect(first.insert(&run, 100)).await);
        all.push(run);
    }
    all.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
    let of_tool = RunFilter { tool: Some(tool), limit: 100, ..RunFilter::default() };
    let filters = [
        of_tool.clone(),
        RunFilter { owner: Some(None), ..of_tool.clone() },
        RunFilter { owner: Some(Some(String::new())), ..of_tool.clone() },
        RunFilter { owner: Some(Some("ann".to_owned())), action: Some("join".to_owned()), ..of_tool.clone() },
        RunFilter { instance: Some("i1".to_owned()), ..of_tool.clone() },
        RunFilter { statuses: vec![RunStatus::Working], ..of_tool.clone() },
        RunFilter { statuses: vec![RunStatus::Working, RunStatus::Cancelled], limit: 3, ..of_tool.clone() },
        RunFilter { tool: Some("no'tool".to_owned()), ..of_tool.clone() },
    ];
    for filter in &filters {
        let expected: Vec<_> = all.iter().filter(|run| filter.matches(run)).take(filter.limit).cloned().collect();
        assert_eq!(
            expect(second.list(filter)).await,
            expected,
            "`list` must return the runs that match the filter, newest first: {filter:?}"
        );
    }
    let mut filter = RunFilter { limit: 5, ..of_tool };
    let (mut seen, mut page) = (Vec::new(), expect(second.list(&filter)).await);
    while let Some(last) = page.last() {
        filter.after = Some((last.created_at, last.id.clone()));
        seen.append(&mut page);
        page = expect(second.list(&filter)).await;
    }
    assert_eq!(seen, all, "together, the pages of a list must contain each run exactly once, newest first");
}

async fn beats_are_counted_for_each_instance(first: &impl RunStore, second: &impl RunStore) {
    let (own, other) = (random::hex(), random::hex());
    let count =
        |beats: Vec<InstanceBeat>, of: &str| beats.into_iter().find(|beat| beat.instance == *of).map(|beat| beat.count);
    for expected in 1..=3 {
        let beats = expect(first.beat(&own)).await;
        assert_eq!(count(beats, &own), Some(expected), "`beat` must add 1 to the counter of its instance");
    }
    let beats = expect(second.beat(&other)).await;
    let instances: HashSet<_> = beats.iter().map(|beat| &beat.instance).collect();
    assert_eq!(instances.len(), beats.len(), "`beat` must return one counter for each instance");
    assert_eq!(
        (count(beats.clone(), &own), count(beats, &other)),
        (Some(3), Some(1)),
        "`beat` must return the counters of all instances"
    );
    expect(second.forget(&own)).await;
    assert_eq!(
        count(expect(first.beat(&other)).await, &own),
        None,
        "`beat` must not return the counter of a forgotten instance"
    );
    assert_eq!(
        count(expect(first.beat(&own)).await, &own),
        Some(1),
        "after `forget`, the counter of the instance must begin at 1 again"
    );
}

async fn ended_runs_are_removed_by_age_and_by_number(first: &impl RunStore, second: &impl RunStore) {
    let (tool, other) = (new_tool(), new_tool());
    let mut ids = Vec::new();
    for number in 0..6 {
        let mut run = run(&tool, None, number);
        run.updated_at = 10 + number;
        run.status = if number == 0 { RunStatus::Working } else { RunStatus::Completed };
        assert!(expect(first.insert(&run, 100)).await);
        ids.push(run.id);
    }
    let kept = RunRecord { status: RunStatus::Failed, ..run(&other, None, 0) };
    assert!(expect(first.insert(&kept, 100)).await);
    // The runs 1 and 2 are too old, and of the others only the newest two are kept.
    assert_eq!(
        expect(second.remove_ended(&tool, 13, 2)).await,
        3,
        "`remove_ended` must return the number of removed runs, which is 3 here"
    );
    for (number, id) in ids.iter().enumerate() {
        let is_kept = expect(first.load(id)).await.is_some();
        assert_eq!(
            is_kept,
            [0, 4, 5].contains(&number),
            "`remove_ended` must remove the ended runs that are too old or not among the newest 2, but no others"
        );
    }
    assert!(expect(first.load(&kept.id)).await.is_some(), "`remove_ended` must not remove runs of another tool");
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::runs::MemoryRunStore;

    #[tokio::test]
    async fn memory_store_follows_the_rules() {
        let store = Arc::new(MemoryRunStore::new());
        run_store_contract(async || Arc::clone(&store)).await;
    }

    #[cfg(feature = "sqlite")]
    #[tokio::test(flavor = "multi_thread")]
    async fn sqlite_store_follows_the_rules() {
        let folder = std::env::temp_dir().join(format!("mcp-runs-{}", random::hex()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("runs.db");
        run_store_contract(async || crate::runs::SqliteRunStore::open(&path).unwrap()).await;
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// A faulty store that does not compare versions.
    struct Overwrites(MemoryRunStore);

    /// A faulty store that counts the open runs of all owners together.
    struct OneLimit(MemoryRunStore);

    macro_rules! otherwise_like_memory {
        ($($method:ident($($name:ident: $of:ty),*) -> $output:ty;)*) => {$(
            fn $method<'a>(&'a self, $($name: $of),*) -> RunStoreFuture<'a, $output> {
                self.0.$method($($name),*)
            }
        )*};
    }

    impl RunStore for Overwrites {
        fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
            Box::pin(async move {
                let Some(stored) = self.0.load(&run.id).await? else { return Ok(false) };
                self.0.replace(&RunRecord { version: stored.version, ..run.clone() }).await
            })
        }

        otherwise_like_memory! {
            insert(run: &'a RunRecord, most_open: usize) -> bool;
            load(id: &'a str) -> Option<RunRecord>;
            list(filter: &'a RunFilter) -> Vec<RunRecord>;
            beat(instance: &'a str) -> Vec<InstanceBeat>;
            forget(instance: &'a str) -> ();
            remove_ended(tool: &'a str, before: u64, keep: usize) -> usize;
        }
    }

    impl RunStore for OneLimit {
        fn insert<'a>(&'a self, run: &'a RunRecord, most_open: usize) -> RunStoreFuture<'a, bool> {
            Box::pin(async move {
                let filter = RunFilter {
                    tool: Some(run.tool.clone()),
                    statuses: vec![RunStatus::Working, RunStatus::InputRequired],
                    limit: most_open,
                    ..RunFilter::default()
                };
                if self.0.list(&filter).await?.len() >= most_open {
                    Ok(false)
                } else {
                    self.0.insert(run, most_open).await
                }
            })
        }

        otherwise_like_memory! {
            load(id: &'a str) -> Option<RunRecord>;
            replace(run: &'a RunRecord) -> bool;
            list(filter: &'a RunFilter) -> Vec<RunRecord>;
            beat(instance: &'a str) -> Vec<InstanceBeat>;
            forget(instance: &'a str) -> ();
            remove_ended(tool: &'a str, before: u64, keep: usize) -> usize;
        }
    }

    #[tokio::test]
    #[should_panic(expected = "`replace` must return `false` for an old version")]
    async fn store_that_does_not_compare_versions_fails() {
        let store = Arc::new(Overwrites(MemoryRunStore::new()));
        run_store_contract(async || Arc::clone(&store)).await;
    }

    #[tokio::test]
    #[should_panic(expected = "the limit must not count runs of another owner or tool")]
    async fn store_that_counts_all_owners_together_fails() {
        let store = Arc::new(OneLimit(MemoryRunStore::new()));
        run_store_contract(async || Arc::clone(&store)).await;
    }
}
