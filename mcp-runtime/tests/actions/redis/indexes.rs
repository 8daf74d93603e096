//! What the operations cost when there are many runs.

use mcp_runtime::runs::{RunFilter, RunLimits, RunQuota, RunRecord, RunStatus, RunStore as _};
use tokio::task::JoinSet;

use super::{NO_LIMIT, NO_LIMITS, connect, insert, run};
use crate::support::redis_server::RedisServer;

/// Stores runs of many owners. Every tenth is open, and all began at the same time.
async fn store_runs(server: &RedisServer, numbers: std::ops::Range<u64>) {
    let store = connect(server).await;
    let mut tasks = JoinSet::new();
    for number in numbers {
        let status = if number % 10 == 0 { RunStatus::Working } else { RunStatus::Completed };
        let owner = Some(format!("owner-{}", number % 7));
        let run = RunRecord { status, owner, updated_at: number, ..run(&format!("{number:05}")) };
        let store = store.clone();
        tasks.spawn(async move { insert(&store, &run).await });
        if tasks.len() > 200 {
            tasks.join_next().await.unwrap().unwrap();
        }
    }
    tasks.join_all().await;
}

/// Returns how many commands Redis has run, also those of functions.
fn all_calls(server: &RedisServer) -> u64 {
    server.calls().values().sum()
}

/// Returns how many functions of the store Redis has run.
fn functions(server: &RedisServer) -> u64 {
    server.calls()["fcall"]
}

#[tokio::test]
async fn a_page_costs_as_many_commands_with_10_000_runs_as_with_100() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let store = connect(&server).await;
    let of_tool = RunFilter { tool: Some("jobs".to_owned()), limit: 10, ..RunFilter::default() };
    let of_owner = RunFilter { owner: Some(Some("owner-3".to_owned())), ..of_tool.clone() };
    let filters = [
        RunFilter { limit: 10, ..RunFilter::default() },
        of_tool.clone(),
        RunFilter { statuses: vec![RunStatus::Working], ..of_tool.clone() },
        of_owner.clone(),
        RunFilter { action: Some("sort".to_owned()), ..of_owner.clone() },
        RunFilter { action: Some("join".to_owned()), ..of_owner },
        RunFilter {
            instance: Some("i1".to_owned()),
            statuses: vec![RunStatus::Working, RunStatus::InputRequired],
            limit: 10,
            ..RunFilter::default()
        },
        // From the middle. All runs began at the same time, so the id decides.
        RunFilter { after: Some((1, "00050".to_owned())), ..of_tool },
    ];
    let cost = async || {
        let mut costs = Vec::new();
        for filter in &filters {
            let before = all_calls(&server);
            store.list(filter).await.unwrap();
            costs.push(all_calls(&server) - before);
        }
        costs
    };
    store_runs(&server, 0..100).await;
    // The first call of a function loads the library.
    cost().await;
    let few = cost().await;
    store_runs(&server, 100..10_000).await;
    let many = cost().await;
    for ((filter, few), many) in filters.iter().zip(&few).zip(&many) {
        assert!(*many <= few + 5 && *many < 60, "{few} commands become {many}: {filter:?}");
    }
}

#[tokio::test]
async fn a_list_that_no_index_serves_is_read_in_parts() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    store_runs(&server, 0..2000).await;
    let store = connect(&server).await;
    let wanted = RunRecord { action: "join".to_owned(), ..run("0") };
    insert(&store, &wanted).await;
    let filter = RunFilter { action: Some("join".to_owned()), limit: 2, ..RunFilter::default() };
    // The first call of a function loads the library.
    store.list(&filter).await.unwrap();
    let before = functions(&server);
    assert_eq!(store.list(&filter).await.unwrap(), [wanted], "the last one is found");
    let functions = functions(&server) - before;
    assert_eq!(functions, 11, "each function reads at most 200 of 2,001 runs");
    let all = RunFilter { limit: usize::MAX, ..RunFilter::default() };
    let found: Vec<_> = store.list(&all).await.unwrap().into_iter().map(|run| run.id).collect();
    let expected: Vec<_> = (0..2000).rev().map(|number| format!("{number:05}")).chain(["0".to_owned()]).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn large_runs_are_read_in_parts() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let store = connect(&server).await;
    let details = format!("\"{}\"", "x".repeat(1_500_000));
    for number in 0..8 {
        insert(&store, &RunRecord { details: (&*details).into(), ..run(&number.to_string()) }).await;
    }
    let filter = RunFilter { limit: 7, ..RunFilter::default() };
    store.list(&filter).await.unwrap();
    let before = functions(&server);
    let found: Vec<_> = store.list(&filter).await.unwrap().into_iter().map(|run| run.id).collect();
    assert_eq!(found, ["7", "6", "5", "4", "3", "2", "1"]);
    assert_eq!(functions(&server) - before, 3, "a function returns at most three of them");
}

#[tokio::test]
async fn many_runs_are_removed_in_parts() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    store_runs(&server, 0..2000).await;
    let store = connect(&server).await;
    let runs = |runs: usize| RunQuota { runs, ..NO_LIMIT };
    let limits = RunLimits { per_owner: runs(250), total: runs(1000) };
    let before = functions(&server);
    assert_eq!(store.remove_ended("jobs", 200, limits).await.unwrap(), 800);
    let functions = functions(&server) - before;
    assert!((8..=10).contains(&functions), "a function removes at most 100 runs: {functions}");
    let ended = RunFilter { statuses: vec![RunStatus::Completed], limit: 2000, ..RunFilter::default() };
    assert_eq!(store.list(&ended).await.unwrap().len(), 1000);
    assert_eq!(store.remove_ended("jobs", u64::MAX, NO_LIMITS).await.unwrap(), 1000);
    let all = RunFilter { limit: 2000, ..RunFilter::default() };
    assert_eq!(store.list(&all).await.unwrap().len(), 200, "the open runs");
}
