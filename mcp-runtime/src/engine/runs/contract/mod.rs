//! A test of the rules that every store of runs must follow.

mod limits;
mod records;
#[cfg(test)]
mod tests;

use std::{collections::HashSet, time::Duration};

use serde_json::json;
use tokio::{task::JoinSet, time::timeout};

use self::records::{expect, new_tool, run, store};
use super::{InstanceBeat, RunChanges, RunFilter, RunRecord, RunStatus, RunStore};
use crate::base::random;

/// How long a report may take.
const PATIENCE: Duration = Duration::from_secs(30);

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
    replace_needs_the_current_version(&first, &second).await;
    one_of_many_writers_wins(&open).await;
    lists_are_ordered_filtered_and_paged(&first, &second).await;
    beats_are_counted_for_each_instance(&first, &second).await;
    writes_are_reported_to_every_process(&first, &second).await;
    limits::test(&open).await;
}

async fn writes_are_reported_to_every_process(first: &impl RunStore, second: &impl RunStore) {
    let reports = [first.changes(), second.changes()].map(|changes| changes.map(RunChanges::subscribe));
    for mut receiver in reports.into_iter().flatten() {
        let run = run(&new_tool(), None, 1);
        store(first, &run).await;
        assert!(expect(first.replace(&run)).await, "`replace` must write the record if its version is the stored one");
        // A store can first have to begin to listen. It then reports that any record may have been written.
        let reported = timeout(PATIENCE, async {
            while let Some(change) = receiver.next().await {
                if *change.id == *run.id {
                    assert_eq!(change.version, run.version + 1, "a report must have the version that was written");
                    return;
                }
            }
        });
        assert!(reported.await.is_ok(), "`changes` must report each record that was written");
    }
}

async fn record_is_stored_as_it_is(first: &impl RunStore, second: &impl RunStore) {
    assert_eq!(
        expect(first.load(&random::hex())).await,
        None,
        "`load` must return `None` for a run that was never stored"
    );
    let large = "ä\u{1F600}\"\\".repeat(200_000);
    for (owner, details) in [(None, json!(null)), (Some(""), json!({ "text": large })), (Some("Ännchen"), json!([1.5]))]
    {
        let details = details.to_string().into();
        let run = RunRecord { details, bytes: 1 << 40, ..run(&new_tool(), owner, u64::from(u32::MAX) * 1000) };
        store(first, &run).await;
        assert_eq!(expect(second.load(&run.id)).await, Some(run), "`load` must return a run unchanged");
    }
}

async fn replace_needs_the_current_version(first: &impl RunStore, second: &impl RunStore) {
    let mut old = run(&new_tool(), None, 1);
    assert!(!expect(first.replace(&old)).await, "`replace` must return `false` for a run that was never stored");
    store(first, &old).await;
    let new = RunRecord {
        status: RunStatus::Failed,
        instance: "other".to_owned(),
        updated_at: 9,
        bytes: 7,
        details: r#"{"error":"x"}"#.into(),
        ..old.clone()
    };
    assert!(expect(second.replace(&new)).await, "`replace` must return `true` for the current version");
    let stored = expect(first.load(&old.id)).await;
    assert_eq!(
        stored,
        Some(RunRecord { version: old.version + 1, ..new.clone() }),
        "`replace` must store the run with the next version"
    );
    old.details = "\"late\"".into();
    assert!(!expect(first.replace(&old)).await, "`replace` must return `false` for an old version");
    assert_eq!(
        expect(first.load(&old.id)).await,
        stored,
        "a `replace` that returns `false` must not change the stored run"
    );
}

async fn one_of_many_writers_wins<S: RunStore>(open: &impl AsyncFn() -> S) {
    let (run, mut writers) = (run(&new_tool(), None, 1), JoinSet::new());
    store(&open().await, &run).await;
    for number in 0..16 {
        let (store, run) = (open().await, RunRecord { details: number.to_string().into(), ..run.clone() });
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
        store(first, &run).await;
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
