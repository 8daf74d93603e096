//! Tests of the time that the file stores.

use super::{HOUR, Ledger as _, LedgerKey, Swapped, TempLedger, load, write};
use crate::engine::call::ledger_time::LedgerTime;

/// The process that made the last write can have another wall clock.
#[tokio::test]
async fn time_continues_from_the_last_write() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let id = ledger.id().await.unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    let later = ledger.now().after(2 * HOUR);
    temp.connection().execute("UPDATE ledger SET time = ?1", [i64::try_from(later.0).unwrap()]).unwrap();
    assert!(later <= temp.ledger().now(), "read when the file is opened");
    assert!(ledger.now() < later, "not read yet");
    assert_eq!(load(&ledger, id, "call:1").await.unwrap(), None, "expired by the file's time");
    assert!(later <= ledger.now(), "read by the load");
    let late = ledger.swap(LedgerKey::new(id, "call:1"), None, [][..].into(), HOUR, Some(later)).await.unwrap();
    assert_eq!(late, Swapped::TooLate);
}

#[tokio::test]
async fn every_write_stores_the_time() {
    let temp = TempLedger::new();
    let ledger = temp.ledger();
    let kept = || LedgerTime(temp.count("SELECT time FROM ledger").try_into().unwrap());
    let before = ledger.now();
    let seen = write(&ledger, "call:1", None, b"1").await.unwrap();
    let first = kept();
    assert!(before <= first && first <= ledger.now());
    write(&ledger, "call:1", Some(seen), b"2").await.unwrap();
    assert!(first <= kept());
}
