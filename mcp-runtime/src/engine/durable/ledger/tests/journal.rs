//! The journal in the record of a call.

use std::sync::Arc;

use super::{
    super::{
        Ledger as _, MemoryLedger, OutcomeCipher,
        claim::{ClaimOutcome, Claims},
        record::{Kept, LEASE, Record},
    },
    Call, HOUR, claimed, killed,
};

/// A cipher that writes the name before the bytes, and does not encrypt them.
struct Named;

impl OutcomeCipher for Named {
    fn seal(&self, name: &str, bytes: &[u8]) -> Vec<u8> {
        [name.as_bytes(), b" ", bytes].concat()
    }

    fn open(&self, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        bytes.strip_prefix(name.as_bytes())?.strip_prefix(b" ").map(Into::into)
    }
}

async fn journal(call: &Call, round: u32) -> Option<String> {
    let journal = call.instances[0].journal(call.turn(round).key, round).await.unwrap();
    journal.map(|journal| String::from_utf8(journal.to_vec()).unwrap())
}

#[tokio::test(start_paused = true)]
async fn journal_is_read_at_its_own_round_only() {
    let call = Call::of(1);
    assert_eq!(journal(&call, 2).await, None, "there is no record");
    call.claim(1).await.pass_with_journal(b"question", b"first journal").await.unwrap();
    call.claim(2).await.pass_with_journal(b"question", b"second journal").await.unwrap();
    for (round, expected) in [(1, None), (2, None), (3, Some("second journal")), (4, None)] {
        assert_eq!(journal(&call, round).await.as_deref(), expected, "round {round}");
    }
    call.claim(3).await.finish(b"result").await.unwrap();
    assert_eq!(journal(&call, 3).await, None, "the call is finished");
}

#[tokio::test(start_paused = true)]
async fn journal_stays_while_its_round_runs_and_after_its_release() {
    let call = Call::of(2);
    call.claim(1).await.pass_with_journal(b"question", b"journal").await.unwrap();
    let claim = call.claim(2).await;
    assert_eq!(journal(&call, 2).await.as_deref(), Some("journal"));
    drop(claim);
    assert_eq!(journal(&call, 2).await.as_deref(), Some("journal"));
    killed(call.claim(2).await);
    tokio::time::advance(LEASE).await;
    let claim = call.claim_at(1, 2).await;
    assert_eq!(journal(&call, 2).await.as_deref(), Some("journal"));
    claim.pass(b"a question whose state contains the journal").await.unwrap();
    assert_eq!(journal(&call, 3).await, None);
}

#[tokio::test(start_paused = true)]
async fn sealed_journal_is_not_a_reply_and_a_sealed_reply_is_not_a_journal() {
    let ledger = MemoryLedger::new();
    let mut call = Call::over(ledger.clone(), 1);
    call.instances = vec![Claims::new(Arc::new(ledger.clone()), LEASE, Some(Arc::new(Named)))];
    call.claim(1).await.pass_with_journal(b"question", b"secret").await.unwrap();
    assert_eq!(call.reply(1).await, "question");
    assert_eq!(journal(&call, 2).await.as_deref(), Some("secret"));

    let entry = ledger.load(call.key()).await.unwrap().unwrap();
    let mut record = Record::from_bytes(&entry.value).unwrap();
    let (Some(Kept::Yes(reply)), Some(secret)) = (record.reply.take(), record.journal.take()) else {
        panic!("the record has both");
    };
    (record.reply, record.journal) = (Some(Kept::Yes(secret)), Some(reply));
    ledger.swap(call.key(), Some(entry.version), record.to_bytes(), HOUR, None).await.unwrap();
    let outcome = call.try_claim(1).await.unwrap();
    assert!(matches!(outcome, ClaimOutcome::NotKept { done: false }), "{outcome:?}");
    assert_eq!(journal(&call, 2).await, None);
    claimed(call.try_claim(2).await.unwrap()).finish(b"result").await.unwrap();
}
