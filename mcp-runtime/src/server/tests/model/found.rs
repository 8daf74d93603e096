//! Histories that have shown a mistake once, as short as they could be made.

use std::time::Duration;

use super::{
    Event::{self, Away, Cancel, Disconnect, Flow, Go, Lose, Pass},
    ONE, all,
    reply::Answer::{self, Decline, First},
    tools::Kind,
    world::World,
};
use crate::durable::ledger::LEASE;

fn send(answer: Answer) -> Event {
    Event::Send { instance: 0, earlier: 0, answer, copies: 1, lost: false }
}

fn go(times: usize) -> Event {
    Go { which: 0, times }
}

/// Told, and not kept: whoever asked again with another answer was told another result.
#[test]
fn a_result_that_took_no_effect_is_not_told_before_it_is_kept() {
    let away = Away { instance: 0, is_away: true };
    let late = Pass(Duration::from_millis(300));
    for rules in all() {
        for kind in [Kind::Book, Kind::Plan] {
            World::run(rules, kind, vec![send(Decline), go(3), away, go(1), late, late, late]).unwrap();
        }
    }
}

/// Without a seal, a state said nothing of its ledger.
#[test]
fn a_handle_is_not_honoured_by_another_ledger() {
    World::run(ONE, Kind::Book, vec![send(Decline), Flow { instance: 0 }, Lose, send(First)]).unwrap();
}

/// Its lease was over when it was written, and who had stalled threw away what the one that took over had parked.
#[test]
fn whoever_was_overtaken_takes_nothing_of_a_later_round() {
    let over = Pass(LEASE + Duration::from_millis(1));
    for rules in all() {
        for kind in [Kind::Book, Kind::Plan, Kind::Pay, Kind::Wander] {
            for points in 0..4 {
                World::run(rules, kind, vec![send(First), go(points), over, send(First), go(1)]).unwrap();
            }
        }
    }
}

/// Its journal is here and nowhere else, and was lost with the request that opened its round.
#[test]
fn a_round_can_be_led_whoever_opened_it_is_gone() {
    for gone in [Cancel { request: 0 }, Disconnect { instance: 0 }] {
        for points in 0..8 {
            World::run(ONE, Kind::Book, vec![send(First), go(points), gone]).unwrap();
        }
    }
}
