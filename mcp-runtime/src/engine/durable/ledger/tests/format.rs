//! Tests of the encoding of a record.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::record::{Kept, Record, Status, StepRecord};
use crate::engine::{
    call::{entry_slice::EntrySlice, ledger_time::LedgerTime},
    durable::ledger::record::Lease,
};

/// A record can outlive the program that wrote it. So these bytes must stay readable while the format number is the
/// same.
#[test]
fn encoding_is_stable() {
    let lease = Lease { holder: 0x1122_3344_5566_7788, until: LedgerTime(0x0102_0304_0506_0708) };
    let record = Record {
        round: 3,
        status: Status::Begun(lease),
        reply: Some(Kept::Yes(EntrySlice::from(&b"reply"[..]))),
        journal: Some(EntrySlice::from(&b"journal"[..])),
        steps: vec![
            StepRecord { name: "a".into(), value: None },
            StepRecord { name: "bc".into(), value: Some(Kept::Yes(EntrySlice::from(&b"xyz"[..]))) },
            StepRecord { name: "d".into(), value: Some(Kept::No) },
        ],
    };
    #[rustfmt::skip]
    let bytes = [
        2, 2, 1,
        3, 0, 0, 0,
        0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
        8, 7, 6, 5, 4, 3, 2, 1,
        3, 0, 0, 0,
        0, 1, 0, 0, 0, 0, 0, b'a',
        1, 2, 0, 3, 0, 0, 0, b'b', b'c', b'x', b'y', b'z',
        2, 1, 0, 0, 0, 0, 0, b'd',
        7, 0, 0, 0, b'j', b'o', b'u', b'r', b'n', b'a', b'l',
        b'r', b'e', b'p', b'l', b'y',
    ];
    assert_eq!(*record.to_bytes(), bytes);
    assert_eq!(Record::from_bytes(&bytes[..].into()).unwrap(), record);

    let open = Record { round: 3, status: Status::Open, reply: Some(Kept::No), journal: None, steps: Vec::new() };
    assert_eq!(*open.to_bytes(), [2, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn reply_is_read_in_place() {
    let record = Record { reply: Some(Kept::Yes(EntrySlice::from(&[9; 4096][..]))), ..new() };
    let bytes = record.to_bytes();
    assert_eq!(bytes.len(), 15 + 4096);
    let Some(Kept::Yes(reply)) = Record::from_bytes(&bytes).unwrap().reply else { panic!("there is a reply") };
    assert_eq!(reply.as_ptr(), bytes[15..].as_ptr());
}

#[test]
fn rejects_another_format() {
    let mut bytes = new().to_bytes().to_vec();
    bytes[0] = 1;
    let error = Record::from_bytes(&bytes.into()).unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("another version of `mcp-runtime`"), "{source}");
}

#[test]
fn empty_value_is_a_finished_call_without_its_reply() {
    let Record { status, reply, .. } = Record::from_bytes(&Arc::default()).unwrap();
    assert_eq!((status, reply), (Status::Done, Some(Kept::No)));
}

proptest! {
    #[test]
    fn records_round_trip(record in records()) {
        let bytes = record.to_bytes();
        prop_assert_eq!(bytes.len(), record.encoded_len());
        prop_assert_eq!(Record::from_bytes(&bytes).unwrap(), record);
    }

    #[test]
    fn rejects_truncated_records(record in records(), cut in any::<prop::sample::Index>()) {
        let bytes = record.to_bytes();
        let cut = 1 + cut.index(bytes.len() - 1);
        let shorter = Record::from_bytes(&bytes[..cut].into());
        // A reply extends to the end of the bytes, so a cut there is not visible.
        prop_assert!(shorter.is_err() || matches!(record.reply, Some(Kept::Yes(_))));
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 1..200), valid in any::<bool>()) {
        let mut bytes = bytes;
        if let (true, Some(format)) = (valid, bytes.first_mut()) {
            *format = 2;
        }
        let bytes: Arc<[u8]> = bytes.into();
        if let Ok(record) = Record::from_bytes(&bytes) {
            prop_assert_eq!(record.to_bytes(), bytes, "every record has one encoding");
        }
    }
}

fn new() -> Record {
    Record { round: 1, status: Status::Open, reply: None, journal: None, steps: Vec::new() }
}

fn records() -> impl Strategy<Value = Record> {
    let lease = (any::<u64>(), any::<u64>()).prop_map(|(holder, until)| Lease { holder, until: LedgerTime(until) });
    let status = prop_oneof![
        Just(Status::Open),
        Just(Status::Done),
        lease.clone().prop_map(Status::Running),
        lease.prop_map(Status::Begun),
    ];
    let kept = || {
        let bytes = prop::collection::vec(any::<u8>(), 0..40);
        prop_oneof![
            Just(None),
            Just(Some(Kept::No)),
            bytes.prop_map(|bytes| Some(Kept::Yes(EntrySlice::from(&*bytes))))
        ]
    };
    let step = (".{0,8}", kept()).prop_map(|(name, value)| StepRecord { name: name.into(), value });
    let steps = prop::collection::vec(step, 0..4);
    let journal = prop::option::of(prop::collection::vec(any::<u8>(), 1..40));
    (any::<u32>(), status, kept(), journal, steps).prop_map(|(round, status, reply, journal, steps)| Record {
        round,
        status,
        reply,
        journal: journal.map(|journal| EntrySlice::from(&*journal)),
        steps,
    })
}
