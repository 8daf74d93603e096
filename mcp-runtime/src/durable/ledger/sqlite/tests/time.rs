//! The time of a file.

use super::{HOUR, Ledger as _, LedgerKey, Place, Swapped, load, write};
use crate::call::ledger_time::LedgerTime;

/// The last write may come from a process with another wall clock.
#[tokio::test]
async fn it_goes_on_from_where_the_last_write_has_left_it() {
    let place = Place::new();
    let ledger = place.ledger();
    let id = ledger.id().await.unwrap();
    write(&ledger, "call:1", None, b"1").await.unwrap();
    let later = ledger.now().after(2 * HOUR);
    place.connection().execute("UPDATE ledger SET time = ?1", [i64::try_from(later.0).unwrap()]).unwrap();
    assert!(later <= place.ledger().now(), "by whoever opens it");
    assert!(ledger.now() < later, "nobody has looked");
    assert_eq!(load(&ledger, id, "call:1").await.unwrap(), None, "expired by the file's time");
    assert!(later <= ledger.now(), "now it is known");
    let late = ledger.swap(LedgerKey::new(id, "call:1"), None, [][..].into(), HOUR, Some(later)).await.unwrap();
    assert_eq!(late, Swapped::TooLate);
}

#[tokio::test]
async fn every_write_keeps_it() {
    let place = Place::new();
    let ledger = place.ledger();
    let kept = || LedgerTime(place.count("SELECT time FROM ledger").try_into().unwrap());
    let before = ledger.now();
    let seen = write(&ledger, "call:1", None, b"1").await.unwrap();
    let first = kept();
    assert!(before <= first && first <= ledger.now());
    write(&ledger, "call:1", Some(seen), b"2").await.unwrap();
    assert!(first <= kept());
}
