//! Instances that share a Redis.

use mcp_runtime::{
    runs::{RunFilter, RunRecord, RunStatus, RunStore as _},
    store::RedisStore,
    testing::run_store_contract,
};

use super::{NO_LIMITS, connect, insert, run};
use crate::support::redis_server::{RedisServer, prefix, shared};

#[tokio::test(flavor = "multi_thread")]
async fn redis_keeps_the_contract_of_run_stores() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    run_store_contract(async || RedisStore::builder(&server.url()).prefix(&prefix).connect().await.unwrap()).await;
}

/// A node of a cluster refuses a script whose keys it does not have.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_of_a_cluster_keeps_the_contract_of_run_stores() {
    // A cluster needs a port, and its bus has the port 10,000 above it.
    let ports = std::iter::repeat_with(|| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    let port = ports.map(|listener| listener.local_addr().unwrap().port()).find(|port| *port < 55_000).unwrap();
    let settings = ["--save", "", "--port", &port.to_string(), "--cluster-enabled", "yes"];
    let Some(server) = RedisServer::start(&settings) else { return };
    assert_eq!(server.command("CLUSTER ADDSLOTSRANGE 0 16383"), "+OK");
    while !server.command("CLUSTER INFO").contains("cluster_state:ok") {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    run_store_contract(async || connect(&server).await).await;
}

#[tokio::test]
async fn each_prefix_has_its_own_runs() {
    let Some(server) = shared() else { return };
    let connect = async || RedisStore::builder(&server.url()).prefix(&prefix()).connect().await.unwrap();
    let (one, other) = (connect().await, connect().await);
    insert(&one, &run("r1")).await;
    assert_eq!(other.load("r1").await.unwrap(), None);
    insert(&other, &run("r1")).await;
}

/// No text can form the key of another text, or leave the hash tag.
#[tokio::test]
async fn texts_of_any_bytes_stay_apart() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    let store = RedisStore::builder(&server.url()).prefix(&prefix).connect().await.unwrap();
    let texts = [
        "",
        ":",
        "a",
        "a:",
        ":a",
        "a:1:b",
        "1:a",
        "{",
        "}",
        "}{x}",
        "{mcp}:ledger",
        "\"'\\",
        "\r\n",
        "\0",
        "ä\u{1F600}",
        "=",
        "-",
        "=a",
        "*",
        "[",
        "(",
        "+",
    ];
    let mut all = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let other = texts[(number + 1) % texts.len()];
        let run = RunRecord {
            id: format!("id{text}"),
            tool: (*text).to_owned(),
            action: other.to_owned(),
            owner: Some((*text).to_owned()),
            instance: (*text).to_owned(),
            details: (*text).into(),
            created_at: u64::MAX - number as u64 % 3,
            updated_at: u64::MAX,
            ..run("")
        };
        insert(&store, &run).await;
        assert_eq!(store.load(&run.id).await.unwrap().as_ref(), Some(&run), "{text:?}");
        assert!(store.insert(&run, NO_LIMITS).await.is_err(), "the id {:?} exists", run.id);
        store.beat(text).await.unwrap();
        all.push(run);
    }
    insert(&store, &RunRecord { owner: None, ..run("without") }).await;
    all.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
    for text in texts {
        let text = text.to_owned();
        let none = RunFilter { limit: 100, ..RunFilter::default() };
        for filter in [
            RunFilter { tool: Some(text.clone()), ..none.clone() },
            RunFilter { action: Some(text.clone()), ..none.clone() },
            RunFilter { owner: Some(Some(text.clone())), ..none.clone() },
            RunFilter { instance: Some(text.clone()), statuses: vec![RunStatus::Working], ..none.clone() },
            RunFilter { tool: Some(text.clone()), owner: Some(Some(text.clone())), ..none.clone() },
        ] {
            let expected: Vec<_> = all.iter().filter(|run| filter.matches(run)).cloned().collect();
            assert_eq!((expected.len(), store.list(&filter).await.unwrap()), (1, expected), "{filter:?}");
        }
        store.forget(&text).await.unwrap();
    }
    let beats = store.beat("last").await.unwrap();
    assert_eq!((beats.len(), beats[0].count), (1, 1));
    for run in all {
        let ended = RunRecord { status: RunStatus::Failed, ..run };
        assert!(store.replace(&ended).await.unwrap());
        assert_eq!(store.remove_ended(&ended.tool, u64::MAX, NO_LIMITS).await.unwrap(), 0);
        assert_eq!(store.load(&ended.id).await.unwrap().unwrap().status, RunStatus::Failed);
    }
}

#[tokio::test]
async fn all_keys_have_the_prefix_and_none_has_a_time_to_live() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let store = connect(&server).await;
    for number in 0..20 {
        let status = if number % 2 == 0 { RunStatus::Working } else { RunStatus::Completed };
        insert(&store, &RunRecord { status, ..run(&number.to_string()) }).await;
    }
    store.beat("i1").await.unwrap();
    let keys = server.keys();
    assert!(keys.len() > 25 && keys.iter().all(|key| key.starts_with("{mcp}:")), "{keys:?}");
    for key in keys {
        assert_eq!(server.command(&format!("TTL \"{key}\"")), ":-1", "{key}");
    }
}

#[tokio::test]
async fn removed_runs_leave_no_keys() {
    let Some(server) = RedisServer::start(&["--save", ""]) else { return };
    let store = connect(&server).await;
    let before = server.keys();
    for number in 0..20 {
        let owner = (number % 3 > 0).then(|| format!("owner-{}", number % 4));
        let new = RunRecord { owner, created_at: number, ..run(&number.to_string()) };
        insert(&store, &new).await;
        let waits = RunRecord { status: RunStatus::InputRequired, bytes: 9, ..new };
        assert!(store.replace(&waits).await.unwrap());
        let ended = RunRecord { status: RunStatus::Completed, updated_at: number, version: 1, bytes: 7, ..waits };
        assert!(store.replace(&ended).await.unwrap());
    }
    store.beat("i1").await.unwrap();
    store.forget("i1").await.unwrap();
    assert_eq!(store.remove_ended("jobs", 20, NO_LIMITS).await.unwrap(), 20);
    assert_eq!(server.keys(), before);
}

#[tokio::test]
async fn names_the_permissions_that_a_user_of_runs_needs() {
    let Some(server) = shared() else { return };
    let prefix = prefix();
    let connect = async |user: &str| {
        let url = format!("{}?user={user}&pass=p4ss", server.url());
        RedisStore::builder(&url).prefix(&prefix).connect().await
    };
    assert_eq!(server.command("ACL SETUSER nobody on >p4ss ~*"), "+OK");
    let error = connect("nobody").await.unwrap_err().to_string();
    let (_, grants) = error.split_once("(grant `").unwrap_or_else(|| panic!("{error}"));
    let (grants, _) = grants.split_once('`').unwrap();
    let rules = format!("ACL SETUSER runner on >p4ss ~{{{prefix}}}:* &{{{prefix}}}:* {grants}");
    assert_eq!(server.command(&rules), "+OK");
    let store = connect("runner").await.unwrap();
    insert(&store, &run("r1")).await;
    let ended = RunRecord { status: RunStatus::Completed, ..run("r1") };
    assert!(store.replace(&ended).await.unwrap());
    store.beat("i1").await.unwrap();
    store.forget("i1").await.unwrap();
    assert_eq!(store.list(&RunFilter { limit: 1, ..RunFilter::default() }).await.unwrap().len(), 1);
    assert_eq!(store.remove_ended("jobs", u64::MAX, NO_LIMITS).await.unwrap(), 1);
}
