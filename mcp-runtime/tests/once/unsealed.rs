//! Unsealed states, which only the process that created them can resolve.

use std::sync::Arc;

use mcp_runtime::MemoryLedger;

use crate::{
    tools::{Book, Watched},
    wire::{error, seat, state, sure, text},
    world::{World, server},
};

#[tokio::test]
async fn another_instance_rejects_an_unsealed_state() {
    let (watched, ledger) = (Watched::new(), Arc::new(MemoryLedger::new()));
    let service = || server(&watched, Arc::clone(&ledger)).tool(Book(Arc::clone(&watched))).build().unwrap();
    let services = vec![service(), service()];
    let mut world = World::of(watched, services);
    let mut last = world.begin("book").await;
    for (answer, booked) in [(seat("12A"), None), (sure(true), Some("12A to Lisbon for 100"))] {
        let words = "`requestState` does not belong to this request; send the request again without it";
        assert_eq!(error(&world.answer("book", &last, answer.clone()).await), (-32602, words));
        let response = world.answer("book", &last, answer).await;
        match booked {
            Some(booked) => assert_eq!(text(&response), booked),
            None => last = state(&response),
        }
    }
    assert_eq!((world.watched.runs(), world.watched.client.get()), ((1, 1), 1));
}
