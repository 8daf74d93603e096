//! Nothing runs twice if wall clocks are set back or ahead, or differ between processes.

#[cfg(any(feature = "postgres", feature = "redis"))]
use std::sync::Arc;
use std::{process::Command, thread::sleep, time::Duration};

use serde_json::Value;

use super::{
    faketime::Clock,
    process::{Process, Site},
};
#[cfg(feature = "postgres")]
use crate::support::postgres_server::PostgresServer;
#[cfg(feature = "redis")]
use crate::support::redis_server::RedisServer;
use crate::{
    once::wire::{error, seat, text},
    support::stores::Store,
};

/// Longer than the second for which a state of the tool `hurry` is valid.
const PAST: Duration = Duration::from_millis(1200);

/// Returns a site for each kind of store, with its name.
fn sites() -> impl Iterator<Item = (&'static str, Site)> {
    Store::all().into_iter().map(|store| (store.name(), Site::of(store)))
}

fn start(site: &Site, name: &'static str, clock: &Clock) -> Process {
    site.start_with(name, |command: &mut Command| {
        command.envs(clock.environment());
    })
}

/// Makes a complete call. Returns the state of its first round. A busy machine can need longer than the state is valid.
fn call(process: &mut Process) -> Value {
    for _ in 0..20 {
        let first = process.begin("hurry");
        let response = process.answer("hurry", &first, &seat("12A"));
        if response.get("error").is_none() {
            assert_eq!(text(&response), "12A for 100");
            return first;
        }
    }
    panic!("no call ends within a second");
}

/// Sends the state of a finished call again, with another answer.
#[track_caller]
fn is_past(process: &mut Process, first: &Value, site: &Site, store: &str) {
    let (_, after, _) = site.runs();
    let response = process.answer("hurry", first, &seat("1F"));
    assert_eq!(site.runs().1, after, "{store}: `after` has begun again: {response}");
    let (code, message) = error(&response);
    assert!(code == -32602 && message.contains("send the request again without it"), "{store}: {response}");
}

#[test]
fn a_clock_set_back_does_not_revive_a_state() {
    let Some(clock) = Clock::new() else { return };
    for (store, site) in sites() {
        clock.is_ahead_by(0);
        let mut process = start(&site, "a", &clock);
        let first = call(&mut process);
        clock.is_ahead_by(-600);
        process.answer("hurry", &first, &seat("1F"));
        assert_eq!(site.runs().1, 1, "{store}: `after` has begun again");
        sleep(PAST);
        // This removes all expired records.
        call(&mut process);
        is_past(&mut process, &first, &site, store);
        // The process continues.
        call(&mut process);
        assert_eq!(site.runs().1, 3, "{store}");
    }
}

#[test]
fn a_clock_set_ahead_and_back_does_not_forget_an_open_call() {
    let Some(clock) = Clock::new() else { return };
    for (store, site) in sites() {
        clock.is_ahead_by(0);
        let mut process = start(&site, "a", &clock);
        let first = call(&mut process);
        clock.is_ahead_by(400);
        // The first call may find its own state expired; expired records are removed all the same.
        let second = process.begin("hurry");
        process.answer("hurry", &second, &seat("12A"));
        call(&mut process);
        clock.is_ahead_by(0);
        let (_, after, _) = site.runs();
        process.answer("hurry", &first, &seat("1F"));
        assert_eq!(site.runs().1, after, "{store}: `after` has begun again");
        call(&mut process);
    }
}

#[test]
fn an_instance_two_hours_ahead_does_not_forget_an_open_call() {
    let (Some(right), Some(ahead)) = (Clock::new(), Clock::new()) else { return };
    ahead.is_ahead_by(2 * 60 * 60);
    for site in Site::all() {
        let (mut one, mut other) = (start(&site, "a", &right), start(&site, "b", &ahead));
        let first = call(&mut one);
        let second = call(&mut other);
        for state in [&first, &second] {
            let (_, after, _) = site.runs();
            for process in [&mut one, &mut other] {
                process.answer("hurry", state, &seat("1F"));
            }
            assert_eq!(site.runs().1, after, "`after` has begun again");
        }
        sleep(PAST);
        is_past(&mut one, &first, &site, "shared");
        is_past(&mut other, &second, &site, "shared");
        // All instances use one clock and can resume each other's calls.
        is_ended_by(&mut one, &mut other);
        is_ended_by(&mut other, &mut one);
    }
}

fn is_ended_by(one: &mut Process, other: &mut Process) {
    for _ in 0..20 {
        let first = one.begin("hurry");
        let response = other.answer("hurry", &first, &seat("12A"));
        if response.get("error").is_none() {
            return assert_eq!(text(&response), "12A for 100");
        }
    }
    panic!("no call ends within a second");
}

/// The process does not restart, and another one that starts later sees the same time.
#[cfg(feature = "postgres")]
#[test]
fn a_postgres_clock_set_ahead_and_back_does_not_forget_an_open_call() {
    let (Some(clock), Some(right)) = (Clock::new(), Clock::new()) else { return };
    let Some(server) = PostgresServer::start_with(&["-c", "fsync=off"], clock.environment()) else { return };
    let site = Site::of(Store::postgres(Arc::new(server)));
    let mut process = start(&site, "a", &right);
    let first = call(&mut process);
    clock.is_ahead_by(400);
    // The first call may find its own state expired; expired records are removed all the same.
    let second = process.begin("hurry");
    process.answer("hurry", &second, &seat("12A"));
    call(&mut process);
    clock.is_ahead_by(-600);
    let mut other = start(&site, "b", &right);
    for process in [&mut process, &mut other] {
        let (_, after, _) = site.runs();
        process.answer("hurry", &first, &seat("1F"));
        assert_eq!(site.runs().1, after, "`after` has begun again");
    }
    is_past(&mut other, &first, &site, "PostgreSQL");
    call(&mut other);
}

/// Redis expires entries by its wall clock.
#[cfg(feature = "redis")]
#[test]
fn a_redis_clock_set_ahead_and_back_does_not_forget_an_open_call() {
    let (Some(clock), Some(right)) = (Clock::new(), Clock::new()) else { return };
    let Some(server) = RedisServer::start_with(&["--save", ""], clock.environment()) else { return };
    let server = Arc::new(server);
    let site = Site::of(Store::redis(Arc::clone(&server)));
    let mut process = start(&site, "a", &right);
    let first = call(&mut process);
    clock.is_ahead_by(400);
    // Redis removes expired entries by itself.
    sleep(Duration::from_millis(300));
    clock.is_ahead_by(-600);
    process.answer("hurry", &first, &seat("1F"));
    assert_eq!(site.runs().1, 1, "`after` has begun again");
    sleep(PAST);
    is_past(&mut process, &first, &site, "Redis");
    call(&mut process);
}
