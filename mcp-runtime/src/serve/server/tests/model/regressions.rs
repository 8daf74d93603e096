//! Minimized histories that violated an invariant in earlier versions.

use std::time::Duration;

use super::{
    Event::{self, Away, Cancel, Disconnect, Flow, Go, Lose, Pass},
    HOUR, ONE, all,
    reply::Answer::{self, Decline, First},
    tools::ToolKind,
    world::World,
};
use crate::engine::durable::ledger::LEASE;

fn send(answer: Answer) -> Event {
    Event::Send { instance: 0, earlier: 0, answer, copies: 1, lost: false }
}

fn go(times: usize) -> Event {
    Go { which: 0, times }
}

/// The server sent a result without recording it, so a repeated request with another answer got another result.
#[test]
fn a_result_without_effect_is_recorded_before_it_is_sent() {
    let away = Away { instance: 0, is_away: true };
    let late = Pass(Duration::from_millis(300));
    for rules in all() {
        for kind in [ToolKind::Book, ToolKind::Plan] {
            World::run(rules, kind, vec![send(Decline), go(3), away, go(1), late, late, late]).unwrap();
        }
    }
}

/// An unsealed state did not contain the id of its ledger.
#[test]
fn another_ledger_rejects_a_handle() {
    World::run(ONE, ToolKind::Book, vec![send(Decline), Flow { instance: 0 }, Lose, send(First)]).unwrap();
}

/// The lease of a stalled request expired while the request wrote. The stalled request then dropped the future that the
/// next request had parked.
#[test]
fn a_request_that_lost_its_lease_keeps_the_future_of_a_later_round() {
    let over = Pass(LEASE + Duration::from_millis(1));
    for rules in all() {
        for kind in [ToolKind::Book, ToolKind::Plan, ToolKind::Pay, ToolKind::Wander] {
            for points in 0..4 {
                World::run(rules, kind, vec![send(First), go(points), over, send(First), go(1)]).unwrap();
            }
        }
    }
}

/// When the request that opened a round was cancelled, the only copy of the journal was lost.
#[test]
fn a_round_can_run_after_the_request_that_opened_it_is_gone() {
    for gone in [Cancel { request: 0 }, Disconnect { instance: 0 }] {
        for points in 0..8 {
            World::run(ONE, ToolKind::Book, vec![send(First), go(points), gone]).unwrap();
        }
    }
}

/// A request to another server was sent again while that server still ran it, and its answer "send the same request
/// again" became the result of the call. And a tool there that does not ask ran again if its request had been cut off.
#[cfg(feature = "remote")]
#[test]
fn a_call_of_another_server_can_be_interrupted_at_any_point() {
    let kill = |cuts| Event::Kill { instance: 0, cuts };
    let late = Pass(LEASE + Duration::from_millis(1));
    for rules in all() {
        for gone in [kill(false), kill(true), Cancel { request: 0 }, Disconnect { instance: 0 }] {
            for points in 0..40 {
                let events =
                    [send(First), Flow { instance: 0 }, send(First), go(points), gone, late, send(First), go(9), gone];
                let run = World::run(rules, ToolKind::Abroad { minds_keys: true }, events.to_vec());
                run.unwrap_or_else(|violation| panic!("{violation}: {gone:?} after {points} points"));
            }
        }
    }
}

/// A request to another server was sent again although that server does not mind idempotency keys: it had lost the record
/// of the first one while it ran it.
#[cfg(feature = "remote")]
#[test]
fn a_request_is_not_sent_again_to_a_server_that_does_not_mind_keys() {
    for rules in all() {
        for points in 0..24 {
            let (flow, soon) = (Flow { instance: 0 }, Pass(Duration::from_millis(300)));
            let events = [send(First), flow, send(First), go(points), Pass(HOUR), soon, soon, flow];
            World::run(rules, ToolKind::Abroad { minds_keys: false }, events.to_vec()).unwrap();
        }
    }
}

/// The other server forgot the idempotency key before the state of the call expired.
#[cfg(feature = "remote")]
#[test]
fn another_server_keeps_a_key_as_long_as_a_call_waits() {
    for rules in all() {
        for points in 0..40 {
            let flow = Flow { instance: 0 };
            let kill = Event::Kill { instance: 0, cuts: false };
            let events = [send(First), flow, send(First), go(points), kill, flow, Pass(HOUR / 3)];
            World::run(rules, ToolKind::Abroad { minds_keys: true }, events.to_vec()).unwrap();
        }
    }
}
