//! 50 users who call the tool, one call after the other.

use std::{
    fmt,
    time::{Duration, Instant},
};

use serde_json::json;
use tokio::task::JoinSet;

use crate::{Result, server::ServerCommand, user::User};

pub(crate) const USERS: usize = 50;

pub(crate) struct Speed {
    pub(crate) calls_per_second: f64,
    pub(crate) failed: usize,
    half_within: Duration,
    most_within: Duration,
    processor_time: Duration,
    memory: u64,
}

/// Starts a server and lets the users call it for some time.
pub(crate) fn measure(command: &ServerCommand, time: Duration) -> Result<Speed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let server = command.start()?;
    runtime.block_on(async {
        let mut users = JoinSet::new();
        for number in 0..USERS {
            let user = User::in_session(server.address).await?;
            users.spawn(shop(user, number, time / 5)); // warms up
        }
        let mut rested = Vec::new();
        while let Some(user) = users.join_next().await {
            rested.push(user??.0);
        }
        let (before, begin) = (server.processor_time()?, Instant::now());
        for (number, user) in rested.into_iter().enumerate() {
            users.spawn(shop(user, number, time));
        }
        let (mut times, mut failed) = (Vec::new(), 0);
        while let Some(user) = users.join_next().await {
            let (_, of_user, failed_of_user) = user??;
            times.extend(of_user);
            failed += failed_of_user;
        }
        let (elapsed, after) = (begin.elapsed(), server.processor_time()?);
        times.sort_unstable();
        let within = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
        Ok(Speed {
            calls_per_second: times.len() as f64 / elapsed.as_secs_f64(),
            failed,
            half_within: within(0.5),
            most_within: within(0.99),
            processor_time: (after - before).div_f64(times.len().max(1) as f64),
            memory: server.most_memory()?,
        })
    })
}

/// Calls the tool for some time. Returns the user, the duration of each call, and how many failed.
async fn shop(mut user: User, number: usize, time: Duration) -> Result<(User, Vec<Duration>, usize)> {
    let (begin, mut times, mut failed) = (Instant::now(), Vec::new(), 0);
    while begin.elapsed() < time {
        let product = format!("product-{}", times.len() % 20);
        let arguments = json!({ "user": format!("user-{number}"), "product": product, "pieces": 1 });
        let called = Instant::now();
        let result = user.call(&json!({ "name": "add_to_cart", "arguments": arguments })).await?;
        times.push(called.elapsed());
        let cart = &result["structuredContent"];
        let is_right = cart["cents"].as_i64() == cart["pieces"].as_i64().map(|pieces| pieces * 199);
        if !is_right || cart["pieces"].as_i64().is_none_or(|pieces| pieces < 1) {
            failed += 1;
        }
    }
    Ok((user, times, failed))
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls_per_second, failed, half_within, most_within, processor_time, memory } = self;
        write!(f, "{calls_per_second:.0} | {half_within:.1?} | {most_within:.1?} | {processor_time:.0?} | ")?;
        write!(f, "{:.1} MB | {failed}", *memory as f64 / 1e6)
    }
}
