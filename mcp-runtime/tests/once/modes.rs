//! One tool in every mode.

use mcp_runtime::{
    Revision,
    testing::{Client, Outcome},
};

use crate::once::{
    tools::{Seat, Sure},
    world::lone_worlds,
};

const BOOKED: &str = "12A to Lisbon for 100";

fn asked(outcome: &Outcome) -> Vec<(&str, &str)> {
    outcome.asked().iter().map(|question| (question.key(), question.message())).collect()
}

#[tokio::test]
async fn a_tool_behaves_the_same_in_every_mode() {
    let revisions = [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];
    for (revision, rebuilds) in revisions.map(|revision| (revision, false)).into_iter().chain([(revisions[2], true)]) {
        for world in lone_worlds().await {
            let client = Client::new(&world.services[0], revision);
            let mut client = if rebuilds { client.rebuilding() } else { client };
            let call = client.call("book", ()).accept(Seat { seat: "12A".to_owned() });
            let outcome = call.accept(Sure { sure: true }).await;
            assert_eq!(outcome.text(), BOOKED, "{revision}");
            assert_eq!(asked(&outcome), [("seat", "Which seat to Lisbon?"), ("sure", "Seat 12A to Lisbon?")]);
            assert_eq!((world.watched.runs(), world.watched.client.get()), ((1, 1), if rebuilds { 3 } else { 1 }));
            let logs: Vec<_> = outcome.logs().iter().map(|log| log.data.as_str().unwrap()).collect();
            assert_eq!(
                logs,
                ["looks for offers", "asks for a seat", "has a seat", "sure: true", "books"],
                "{revision}"
            );
        }
    }
}
