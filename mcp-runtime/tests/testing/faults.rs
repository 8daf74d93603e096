//! The faults between rounds really happen.

use std::sync::Mutex;

use mcp_runtime::testing::{Client, Fault, in_every_mode};
use serde_json::{Value, json};

use crate::testing::modes::{Bookings, Sure, seat, server};

#[tokio::test]
async fn each_trouble_can_be_set_alone() {
    for trouble in Fault::ALL {
        let bookings = Bookings::default();
        let service = server(&bookings).build().unwrap();
        let mut client = Client::modern(&service).fault(trouble);
        let call = client.call("book", json!({ "to": "LIS" })).accept(seat("LIS 14C"));
        assert_eq!(call.accept(Sure { sure: true }).await.text(), "LIS 14C is booked", "{trouble:?}");
        assert_eq!(bookings.all(), ["LIS 14C"], "{trouble:?}");
    }
}

/// Returns the messages of a call with two questions.
async fn requests(trouble: Fault) -> (Vec<Value>, Vec<Value>) {
    let service = server(&Bookings::default()).build().unwrap();
    let mut client = Client::modern(&service).fault(trouble);
    let call = client.call("book", json!({ "to": "LIS" })).accept(seat("LIS 14C")).accept(Sure { sure: true });
    let transcript = call.await.transcript().clone();
    (transcript.sent(), transcript.received())
}

#[tokio::test]
async fn each_trouble_shows_in_the_transcript() {
    let answers =
        |sent: &[Value]| -> Vec<_> { sent.iter().map(|sent| sent["params"]["inputResponses"].clone()).collect() };
    let results =
        |received: &[Value]| -> Vec<_> { received.iter().map(|received| received["result"].clone()).collect() };

    let (sent, received) = requests(Fault::Restarts).await;
    assert_eq!((sent.len(), received.len()), (3, 3));

    for trouble in [Fault::RepliesLost, Fault::RequestsDoubled] {
        let (sent, received) = requests(trouble).await;
        let (answers, results) = (answers(&sent), results(&received));
        assert_eq!((answers.len(), results.len()), (6, 6), "{trouble:?}");
        for pair in answers.chunks(2).chain(results.chunks(2)) {
            assert_eq!(pair[0], pair[1], "{trouble:?}");
        }
        let keys: Vec<_> = sent.iter().map(|sent| &sent["params"]["_meta"]["idempotency-key"]).collect();
        assert!(keys[0].is_string() && keys[0] == keys[1] && keys[2..].iter().all(|key| key.is_null()), "{keys:?}");
    }

    let (sent, received) = requests(Fault::Disconnects).await;
    // A round without waiting ends before it can be cut off.
    assert!(received.len() == 3 && sent.len() > 3, "{} {}", sent.len(), received.len());

    let (sent, received) = requests(Fault::SpentStates).await;
    let (answers, results) = (answers(&sent), results(&received));
    assert_eq!(results.len(), 5);
    for round in [1, 3] {
        assert_ne!(answers[round], answers[round + 1]);
        assert_eq!(results[round], results[round + 1]);
    }

    let (sent, received) = requests(Fault::TamperedStates).await;
    assert_eq!(sent.len(), 5);
    for round in [1, 3] {
        assert_ne!(sent[round]["params"]["requestState"], sent[round + 1]["params"]["requestState"]);
        assert!(received[round]["error"].is_object() && received[round + 1]["result"].is_object());
    }
}

/// The client disconnects between any two changes of the call's record.
#[tokio::test]
async fn cuts_calls_off_at_many_places() {
    let cut = Mutex::new(0);
    in_every_mode!(|mode| {
        let mut client = mode.client(|| server(&Bookings::default()));
        let call = client.call("book", json!({ "to": "LIS" })).accept(seat("LIS 14C")).accept(Sure { sure: true });
        let sent = call.await.transcript().sent().len();
        if mode.name().ends_with("cut off in every round") {
            *cut.lock().unwrap() = sent - 3;
        }
    });
    assert!(*cut.lock().unwrap() >= 8, "{cut:?}");
}

#[tokio::test]
async fn two_instances_really_take_turns() {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use mcp_runtime::{
        Result, Server,
        prelude::*,
        store::{KeyRing, MemoryLedger},
    };

    use crate::testing::modes::Trip;

    let runs = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
    let ledger = Arc::new(MemoryLedger::new());
    /// Counts where it runs.
    #[mcp_tool(replayable)]
    async fn twice(ctx: &Ctx<Trip>, runs: &Arc<AtomicUsize>) -> Result<()> {
        runs.fetch_add(1, Ordering::SeqCst);
        ctx.elicit::<Sure>("Sure?").strict().await?;
        ctx.elicit::<Sure>("Really?").strict().await?;
        Ok(())
    }
    let [first, second] = runs.clone().map(|runs| {
        let server = Server::new("runs", "1").ledger(Arc::clone(&ledger)).state(runs).tools(tools![twice]);
        server.state_keys(KeyRing::new([1; 32])).build().unwrap()
    });
    let mut client = Client::modern(&first).taking_turns_with(&second);
    for times in 1..=2 {
        let call = client.call("twice", ()).accept(Sure { sure: true }).accept(Sure { sure: true });
        assert!(!call.await.is_error());
        // The call starts at the first instance and is replayed for the second.
        let counted = runs.each_ref().map(|runs| runs.load(Ordering::SeqCst));
        assert_eq!(counted, [2 * times, times]);
    }
}
