//! The reports of written runs.

use super::TempLedger;
use crate::engine::runs::{RunLimits, RunQuota, RunRecord, RunStore as _, contract::run_store_contract};

#[tokio::test]
async fn a_process_learns_which_runs_another_one_has_written() {
    let temp = TempLedger::new();
    let (listening, writing) = (temp.ledger(), temp.ledger());
    let mut changes = listening.changes().unwrap().subscribe();
    assert!(changes.next().await.is_none(), "what was written before is not known");
    let run = RunRecord::new("tool", "sort", None, "instance", 1);
    let limit = RunQuota { runs: 1, bytes: run.bytes };
    writing.insert(&run, RunLimits { per_owner: limit, total: limit }).await.unwrap();
    for version in 0..3 {
        assert!(writing.replace(&RunRecord { version, ..run.clone() }).await.unwrap());
        let change = changes.next().await.unwrap();
        assert_eq!((&*change.id, change.version), (&*run.id, version + 1));
    }
}

#[tokio::test]
async fn a_process_that_missed_writes_takes_all_runs_as_changed() {
    let temp = TempLedger::new();
    let store = temp.ledger();
    let run = RunRecord::new("tool", "sort", None, "instance", 1);
    let limit = RunQuota { runs: 1, bytes: run.bytes };
    store.insert(&run, RunLimits { per_owner: limit, total: limit }).await.unwrap();
    let mut changes = store.changes().unwrap().subscribe();
    assert!(changes.next().await.is_none());
    let updates = "UPDATE run SET version = version + 1;".repeat(300);
    temp.connection().execute_batch(&format!("BEGIN; {updates} COMMIT")).unwrap();
    assert!(changes.next().await.is_none());
    assert_eq!(temp.count("SELECT count(*) FROM written_run"), 256);
    assert!(store.replace(&RunRecord { version: 300, ..run }).await.unwrap());
    assert_eq!(changes.next().await.unwrap().version, 301);
}

#[tokio::test(flavor = "multi_thread")]
async fn follows_the_rules_of_runs() {
    let temp = TempLedger::new();
    run_store_contract(async || temp.ledger()).await;
}
