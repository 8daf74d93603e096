//! The burst on stdio. The client writes all calls to standard input at once.

use std::time::{Duration, Instant};

use crate::{
    Result,
    burst::{self, Burst, CALLS, KEPT, NAP, SHARE},
    contestant::{self, Contestant},
    conversation::Conversation,
    report::Row,
    throughput::exchange,
};

/// Measures the burst on stdio. The floor cannot run calls concurrently, so the report shows the ideal figures in its
/// place.
pub(crate) fn measure() -> Result<Vec<Row>> {
    let [_, rmcp, _] = &contestant::ALL;
    let rounds = || Ok([burst::IDEAL, one_round(rmcp)?, one_round(&contestant::ASKING)?]);
    burst::measure(rounds, |ideal| ideal / SHARE)
}

fn one_round(contestant: &Contestant) -> Result<Burst> {
    let mut conversation = Conversation::start(contestant.command(&[], &NAP), &NAP)?;
    conversation.ask(&NAP, 1)?;
    let mut requests = NAP.requests();
    let begin = Instant::now();
    exchange(&mut conversation, &mut requests, CALLS, Duration::ZERO)?;
    let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
    let begin = Instant::now();
    let calls = exchange(&mut conversation, &mut requests, CALLS, KEPT)?;
    let calls_per_second = calls / begin.elapsed().as_secs_f64();
    conversation.end()?;
    Ok(Burst { milliseconds, calls_per_second })
}
