//! The program as a client meets it: a process that asks the client's user, and its model.

use std::process::Command;

use mcp_runtime::{Revision, testing::Client};
use serde_json::json;

#[tokio::test]
async fn books_a_flight_in_both_eras() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::process(Command::new(env!("CARGO_BIN_EXE_flights"))).revision(revision);
        let pick = json!({ "action": "accept", "content": { "flight_id": "AL143-04" } });
        let confirm = json!({ "action": "accept", "content": { "confirmed": true } });
        let booked = client
            .call("book_flight", json!({ "destination": "HEL", "date": "2026-12-04" }))
            .answer(pick)
            .answer(confirm)
            .sampled("Have fun!")
            .await;
        assert!(booked.text().ends_with("For the traveller: Have fun!"), "{revision}: {}", booked.text());
    }
}
