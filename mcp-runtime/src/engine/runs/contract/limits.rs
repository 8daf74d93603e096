//! The rules about the limits of runs.

use std::{cmp::Ordering, collections::HashMap};

use tokio::task::JoinSet;

use super::records::{NO_LIMIT, expect, new_tool, run, store};
use crate::engine::runs::{RunFilter, RunInsertion, RunLimits, RunQuota, RunRecord, RunStatus, RunStore};

pub(super) async fn test<S: RunStore>(open: &impl AsyncFn() -> S) {
    let (first, second) = (open().await, open().await);
    limits_count_the_open_runs_of_one_tool(&first, &second).await;
    limits_count_the_bytes_of_open_runs(&first, &second).await;
    an_ended_run_counts_no_more(&first, &second).await;
    concurrent_inserts_keep_the_limits(open).await;
    ended_runs_are_removed_by_age(&first, &second).await;
    each_owner_loses_its_own_oldest_runs(&first, &second).await;
    the_owner_with_the_most_loses_its_oldest_runs(&first, &second).await;
    many_runs_are_removed_by_the_same_rules(&first, &second).await;
}

fn runs(runs: usize) -> RunQuota {
    RunQuota { runs, ..NO_LIMIT }
}

fn bytes(bytes: u64) -> RunQuota {
    RunQuota { bytes, ..NO_LIMIT }
}

fn per_owner(per_owner: RunQuota) -> RunLimits {
    RunLimits { per_owner, total: NO_LIMIT }
}

fn total(total: RunQuota) -> RunLimits {
    RunLimits { per_owner: NO_LIMIT, total }
}

async fn limits_count_the_open_runs_of_one_tool(first: &impl RunStore, second: &impl RunStore) {
    let tool = new_tool();
    store(first, &run(&tool, Some("ann"), 1)).await;
    let (of_ann, of_bob) = (run(&tool, Some("ann"), 2), run(&tool, Some("bob"), 2));
    assert_eq!(
        expect(second.insert(&of_ann, per_owner(runs(1)))).await,
        RunInsertion::OwnerRuns,
        "`insert` must not store a run if its owner has as many open runs as the limit allows"
    );
    assert_eq!(
        expect(second.insert(&of_bob, total(runs(1)))).await,
        RunInsertion::TotalRuns,
        "`insert` must not store a run if all owners together have as many open runs as the limit allows"
    );
    assert_eq!(expect(first.load(&of_bob.id)).await, None, "a run that `insert` refuses must not be stored");
    for other in [run(&tool, Some("bob"), 3), run(&tool, None, 4), run(&new_tool(), Some("ann"), 5)] {
        assert_eq!(
            expect(first.insert(&other, per_owner(runs(1)))).await,
            RunInsertion::Stored,
            "the limit of an owner must not count runs of another owner or tool"
        );
    }
    assert_eq!(
        expect(first.insert(&run(&new_tool(), None, 6), total(runs(1)))).await,
        RunInsertion::Stored,
        "the limit for all owners must not count runs of another tool"
    );
}

async fn limits_count_the_bytes_of_open_runs(first: &impl RunStore, second: &impl RunStore) {
    let tool = new_tool();
    let of = |owner: &str, bytes: u64| RunRecord { bytes, ..run(&tool, Some(owner), 1) };
    store(first, &of("ann", 600)).await;
    for (run, limits, expected) in [
        (of("ann", 401), per_owner(bytes(1000)), RunInsertion::OwnerBytes),
        (of("bob", 401), total(bytes(1000)), RunInsertion::TotalBytes),
        (of("bob", 1001), per_owner(bytes(1000)), RunInsertion::OwnerBytes),
        (of("bob", 1000), per_owner(bytes(1000)), RunInsertion::Stored),
        (of("ann", 400), RunLimits { per_owner: bytes(1000), total: bytes(2000) }, RunInsertion::Stored),
        (of("eve", 1), total(bytes(2000)), RunInsertion::TotalBytes),
    ] {
        assert_eq!(
            expect(second.insert(&run, limits)).await,
            expected,
            "`insert` must add the bytes of the open runs and of the new run: {limits:?}"
        );
    }
}

async fn an_ended_run_counts_no_more(first: &impl RunStore, second: &impl RunStore) {
    for status in RunStatus::ALL {
        let tool = new_tool();
        let mut waiting = RunRecord { status: RunStatus::InputRequired, ..run(&tool, Some("ann"), 1) };
        store(first, &waiting).await;
        waiting.status = status;
        assert!(expect(first.replace(&waiting)).await);
        let insertion = expect(second.insert(&run(&tool, Some("ann"), 2), per_owner(runs(1)))).await;
        assert_eq!(
            insertion == RunInsertion::Stored,
            !status.is_open(),
            "the limits must count all open runs and no other runs, but count a run with the status `{status}` wrongly"
        );
    }
}

async fn concurrent_inserts_keep_the_limits<S: RunStore>(open: &impl AsyncFn() -> S) {
    for (limits, owners) in [(per_owner(runs(5)), 1), (total(runs(5)), 16), (total(bytes(5 * 1024)), 16)] {
        let (tool, mut inserts) = (new_tool(), JoinSet::new());
        for number in 0..16 {
            let owner = format!("owner-{}", number % owners);
            let run = RunRecord { bytes: 1024, ..run(&tool, Some(&owner), number) };
            let store = open().await;
            inserts.spawn(async move { expect(store.insert(&run, limits)).await });
        }
        let inserted = inserts.join_all().await;
        let stored = inserted.into_iter().filter(|insertion| *insertion == RunInsertion::Stored).count();
        assert_eq!(
            stored, 5,
            "exactly 5 of 16 concurrent inserts must succeed, because the limits allow 5: {limits:?}"
        );
    }
}

/// Stores a run that was last written at this time, and returns its id.
async fn ended(target: &impl RunStore, tool: &str, owner: Option<&str>, updated_at: u64, bytes: u64) -> String {
    // Runs end in another order than they began.
    let run = RunRecord { status: RunStatus::Completed, updated_at, bytes, ..run(tool, owner, 1000 - updated_at) };
    store(target, &run).await;
    run.id
}

/// Removes runs, and checks how many are removed and which are kept.
async fn assert_removes(
    target: &impl RunStore,
    tool: &str,
    ids: &[String],
    limits: RunLimits,
    kept: &[usize],
    rule: &str,
) {
    let removed = expect(target.remove_ended(tool, 0, limits)).await;
    let mut found = Vec::new();
    for (number, id) in ids.iter().enumerate() {
        if expect(target.load(id)).await.is_some() {
            found.push(number);
        }
    }
    assert_eq!(found, kept, "{rule}: {limits:?}");
    assert_eq!(removed, ids.len() - kept.len(), "`remove_ended` must return the number of removed runs");
}

async fn ended_runs_are_removed_by_age(first: &impl RunStore, second: &impl RunStore) {
    let tool = new_tool();
    let (old, new) = (ended(first, &tool, None, 12, 1).await, ended(first, &tool, None, 13, 1).await);
    let of_other_tool = ended(first, &new_tool(), None, 1, 1).await;
    let open = RunRecord { updated_at: 1, ..run(&tool, None, 1) };
    store(first, &open).await;
    let limits = RunLimits { per_owner: NO_LIMIT, total: NO_LIMIT };
    assert_eq!(expect(second.remove_ended(&tool, 13, limits)).await, 1);
    assert_eq!(expect(first.load(&old)).await, None, "`remove_ended` must remove runs that are too old");
    for kept in [new, of_other_tool, open.id] {
        assert!(
            expect(first.load(&kept)).await.is_some(),
            "`remove_ended` must not remove newer runs, open runs, or runs of another tool"
        );
    }
    let none = RunLimits { per_owner: runs(0), total: runs(0) };
    expect(second.remove_ended(&tool, 0, none)).await;
    assert_eq!(expect(first.list(&of_tool(&tool))).await.len(), 1, "`remove_ended` must not remove open runs");
}

fn of_tool(tool: &str) -> RunFilter {
    RunFilter { tool: Some(tool.to_owned()), limit: 100, ..RunFilter::default() }
}

async fn each_owner_loses_its_own_oldest_runs(first: &impl RunStore, second: &impl RunStore) {
    let tool = new_tool();
    let mut ids = Vec::new();
    for (owner, time) in [(None, 1), (Some("ann"), 2), (Some(""), 3), (Some("ann"), 4), (None, 5), (Some("ann"), 6)] {
        ids.push(ended(first, &tool, owner, time, 100).await);
    }
    let rule = "each owner must keep its newest runs, by `updated_at`";
    assert_removes(second, &tool, &ids, per_owner(runs(2)), &[0, 2, 3, 4, 5], rule).await;
    let ids: Vec<_> = [0, 2, 3, 4, 5].map(|number: usize| ids[number].clone()).into();
    let rule = "each owner must keep its newest runs, as many as have at most this many bytes";
    assert_removes(second, &tool, &ids, per_owner(bytes(199)), &[1, 3, 4], rule).await;
}

async fn the_owner_with_the_most_loses_its_oldest_runs(first: &impl RunStore, second: &impl RunStore) {
    let tool = new_tool();
    let mut ids = vec![ended(first, &tool, Some("bob"), 1, 10).await, ended(first, &tool, None, 2, 500).await];
    for time in 3..8 {
        ids.push(ended(first, &tool, Some("ann"), time, 100).await);
    }
    let rule = "if there are too many runs, the owner with the most runs must lose its oldest runs";
    assert_removes(second, &tool, &ids, total(runs(4)), &[0, 1, 5, 6], rule).await;
    let ids: Vec<_> = [0, 1, 5, 6].map(|number: usize| ids[number].clone()).into();
    let rule = "if the runs have too many bytes, the owner with the most bytes must lose its oldest runs";
    assert_removes(second, &tool, &ids, total(bytes(210)), &[0, 2, 3], rule).await;
}

/// Compares the store with [`excess`].
async fn many_runs_are_removed_by_the_same_rules(first: &impl RunStore, second: &impl RunStore) {
    let mut state = 7_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let tool = new_tool();
    let mut all = Vec::new();
    for number in 0..120 {
        // Some owners have many runs, and several runs have the same time.
        let owner = format!("owner-{}", random(6).min(random(6)));
        let (updated_at, bytes) = (random(40), 1 + random(500) * random(3));
        let run = run(&tool, Some(&owner).filter(|_| random(5) > 0).map(|owner| &**owner), number);
        let run = RunRecord { status: RunStatus::Failed, updated_at, bytes, ..run };
        store(first, &run).await;
        all.push(run);
    }
    for (own_runs, own_bytes, total_runs, total_bytes) in [
        (25, 12_000, 100, 40_000),
        (25, 6000, 60, 40_000),
        (25, 6000, 60, 9000),
        (10, 3000, 20, 5000),
        (3, 900, 5, 1000),
    ] {
        let limits = RunLimits {
            per_owner: RunQuota { runs: own_runs, bytes: own_bytes },
            total: RunQuota { runs: total_runs, bytes: total_bytes },
        };
        let excess: Vec<_> = excess(limits, all.iter().collect()).into_iter().map(|run| run.id.clone()).collect();
        let removed = expect(second.remove_ended(&tool, 0, limits)).await;
        assert_eq!(removed, excess.len(), "`remove_ended` must remove as many runs as exceed the limits: {limits:?}");
        all.retain(|run| !excess.contains(&run.id));
        let mut kept: Vec<_> = expect(first.list(&RunFilter { limit: 200, ..of_tool(&tool) })).await;
        kept.reverse();
        assert_eq!(kept, all, "`remove_ended` must keep the runs that fit in the limits: {limits:?}");
    }
}

/// Returns the runs that exceed the limits. `ended` are runs of one tool.
///
/// Each owner loses its own oldest runs first. If the limit for all owners is exceeded, the owner that has most loses its
/// oldest run, until the rest fits. Equivalently, each run is ranked by what its owner has from its newest run to this
/// one, and the runs with the lowest ranks are kept. Stores that use SQL rank the runs with window functions.
fn excess(limits: RunLimits, mut ended: Vec<&RunRecord>) -> Vec<&RunRecord> {
    ended.sort_by(|a, b| newest_first(a, b));
    let mut owners: HashMap<Option<&str>, RunQuota> = HashMap::new();
    let (mut kept, mut excess) = (Vec::new(), Vec::new());
    for run in ended {
        let has = owners.entry(run.owner.as_deref()).or_default();
        has.add(run);
        let fits = has.runs <= limits.per_owner.runs && has.bytes <= limits.per_owner.bytes;
        if fits { kept.push((*has, run)) } else { excess.push(run) }
    }
    kept.sort_by(|(a, run), (b, other)| a.runs.cmp(&b.runs).then_with(|| newest_first(run, other)));
    excess.extend(kept.drain(limits.total.runs.min(kept.len())..).map(|(_, run)| run));
    kept.sort_by(|(a, run), (b, other)| a.bytes.cmp(&b.bytes).then_with(|| newest_first(run, other)));
    let mut total = RunQuota::default();
    excess.extend(kept.into_iter().map(|(_, run)| run).filter(|run| {
        total.add(run);
        total.bytes > limits.total.bytes
    }));
    excess
}

fn newest_first(run: &RunRecord, other: &RunRecord) -> Ordering {
    (other.updated_at, &other.id).cmp(&(run.updated_at, &run.id))
}
