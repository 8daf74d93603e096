//! Clocks, random numbers, rounds and keys in a replayed call.

use std::time::{Duration, SystemTime};

use mcp_runtime::{Result, Revision, prelude::*, testing::Client};
use serde_json::{Value, json};

use crate::steps::{
    wire::{seat, state, sure, text},
    world::{Seat, Sure, Trip, World},
};

/// Reads everything twice before, between and after its questions, which show what was read.
#[mcp_tool(replayable)]
pub(crate) async fn draws(ctx: &Ctx<Trip>) -> Result<String> {
    let read = || {
        let since = ctx.now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        format!("{:?} {} {} {}", since, ctx.random(), ctx.rounds_left(), ctx.idempotency_key("pay"))
    };
    let mut all = vec![read(), read()];
    ctx.elicit::<Seat>(all.join("\n")).strict().await?;
    all.extend([read(), read()]);
    ctx.elicit::<Sure>(all.join("\n")).strict().await?;
    all.extend([read(), read()]);
    Ok(all.join("\n"))
}

/// Two branches that read after their answers.
#[mcp_tool(replayable)]
pub(crate) async fn branches(ctx: &Ctx<Trip>) -> Result<String> {
    let seat = async {
        ctx.elicit::<Seat>("Which seat?").strict().await?;
        Ok::<_, ToolError>((ctx.now(), ctx.random()))
    };
    let sure = async {
        ctx.elicit::<Sure>("Sure?").strict().await?;
        Ok::<_, ToolError>((ctx.now(), ctx.random()))
    };
    let (seat, sure) = tokio::try_join!(seat, sure)?;
    let message = format!("{seat:?} {sure:?}");
    ctx.elicit::<Seat>(&message).strict().await?;
    Ok(message)
}

/// Two keys of one call.
#[mcp_tool(read_only)]
pub(crate) async fn keys(ctx: &Ctx<Trip>) -> String {
    format!("{} {}", ctx.idempotency_key("pay"), ctx.idempotency_key("refund"))
}

fn message<'a>(response: &'a Value, key: &str) -> &'a str {
    response["result"]["inputRequests"][key]["params"]["message"].as_str().unwrap_or_else(|| panic!("{response}"))
}

#[tokio::test]
async fn a_replayed_call_reads_the_same_values() {
    for mut world in World::all() {
        let first = world.call("draws", json!({})).await;
        world.forget().await;
        tokio::time::sleep(Duration::from_millis(2)).await;
        let second = world.answer("draws", &state(&first), seat("12A")).await;
        world.forget().await;
        let third = world.answer("draws", &state(&second), sure(true)).await;
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (first, second, third) =
            (lines(message(&first, "seat")), lines(message(&second, "sure")), lines(text(&third)));
        assert_eq!((&second[..2], &third[..4]), (&first[..], &second[..]));
        let column = |index: usize| third.iter().map(move |line| line.split(' ').nth(index).unwrap());
        let numbers: std::collections::HashSet<_> = column(1).collect();
        assert_eq!(numbers.len(), 6, "every number is another: {third:?}");
        assert_eq!(column(2).collect::<Vec<_>>(), ["8", "8", "7", "7", "6", "6"]);
        assert!(column(3).all(|key| key == column(3).next().unwrap()), "{third:?}");
    }
}

#[tokio::test]
async fn concurrent_branches_read_the_same_values_in_a_replay() {
    for mut world in World::all() {
        let first = state(&world.call("branches", json!({})).await);
        let second = state(&world.answer("branches", &first, sure(true)).await);
        let third = world.answer("branches", &second, seat("12A")).await;
        world.forget().await;
        let done = world.answer("branches", &state(&third), json!({ "seat#2": seat("1F")["seat"] })).await;
        assert_eq!(text(&done), message(&third, "seat#2"));
    }
}

#[tokio::test]
async fn an_idempotency_key_identifies_one_step_of_one_call() {
    let world = World::one();
    let mut keys = std::collections::HashSet::new();
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28, Revision::V2026_07_28] {
        let mut client = Client::new(&world.services[0], revision);
        let outcome =
            client.call("draws", ()).accept(Seat { seat: "12A".to_owned() }).accept(Sure { sure: true }).await;
        let text = outcome.text();
        let key = text.lines().next().unwrap().rsplit(' ').next().unwrap();
        let parts: Vec<_> = key.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12], "{key}");
        assert!(key.as_bytes()[14] == b'8' && b"89ab".contains(&key.as_bytes()[19]), "version 8: {key}");
        assert!(keys.insert(key.to_owned()), "{key}");
        let rounds = text.lines().last().unwrap().split(' ').nth(2).unwrap();
        assert_eq!(rounds == "6", revision.is_modern(), "a session counts no rounds: {rounds}");
    }
}

/// Returns the keys that an attacker could derive for `other` from the `key` of `step` if the hash were invertible.
/// There are 64, because six bits of an identifier are fixed and hide six bits of the hash.
fn siblings_by_inverting_fnv(key: &str, step: &str, other: &str) -> Vec<String> {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    // Newton's method: every step doubles the number of correct bits.
    let inverse = (0..7).fold(1_u128, |x, _| x.wrapping_mul(2_u128.wrapping_sub(PRIME.wrapping_mul(x))));
    let known = u128::from_str_radix(&key.replace('-', ""), 16).unwrap();
    let known = known & !(0xf << 76 | 0x3 << 62);
    let sibling = |guessed: u128| {
        let end = known | (guessed & 0xf) << 76 | (guessed >> 4) << 62;
        let begun = step.bytes().rev().fold(end, |hash, byte| hash.wrapping_mul(inverse) ^ u128::from(byte));
        let hash = other.bytes().fold(begun, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME));
        let digits = format!("{:032x}", hash & !(0xf << 76 | 0x3 << 62) | 0x8 << 76 | 0x2 << 62);
        [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]).join("-")
    };
    (0..64).map(sibling).collect()
}

#[tokio::test]
async fn an_idempotency_key_does_not_reveal_another() {
    for mut world in World::all() {
        let keys = world.call("keys", json!({})).await;
        let (pay, refund) = text(&keys).split_once(' ').unwrap();
        assert_ne!(pay, refund);
        let computed = siblings_by_inverting_fnv(pay, "pay", "refund");
        assert!(!computed.iter().any(|key| key == refund), "{refund} was computed from {pay}");
    }
}
