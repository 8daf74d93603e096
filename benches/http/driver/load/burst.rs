//! The burst, with a separate connection for each call.

use std::time::{Duration, Instant};

use super::Crowd;
use crate::{
    Result,
    burst::{self, Burst, CALLS, KEPT, NAP},
    contestant::{self, Contestant},
    report::Row,
    server::Server,
};

/// The maximum duration of the burst, as a multiple of the duration with the floor. A large part of the duration is the
/// time in which the client writes to all connections.
const TIMES_FLOOR: f64 = 1.2;

pub(crate) fn measure() -> Result<Vec<Row>> {
    let [floor, rmcp, ours] = &contestant::ALL;
    burst::measure(|| Ok([one_round(floor)?, one_round(rmcp)?, one_round(ours)?]), |floor| TIMES_FLOOR * floor)
}

/// Runs one round. No call may be lost.
fn one_round(contestant: &Contestant) -> Result<Burst> {
    let server = Server::start(contestant.command(&["prlimit", "--nofile=8192"]), &NAP)?;
    let mut crowd = Crowd::connect(&server, &NAP, CALLS.into())?;
    crowd.exchange(Duration::ZERO)?; // warms up
    let begin = Instant::now();
    crowd.exchange(Duration::ZERO)?;
    let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
    crowd.times.clear();
    let begin = Instant::now();
    crowd.exchange(KEPT)?;
    let calls_per_second = crowd.times.len() as f64 / begin.elapsed().as_secs_f64();
    if crowd.lost > 0 {
        return Err(format!("{}: {} calls were not answered", contestant.name, crowd.lost).into());
    }
    drop(crowd);
    server.end()?;
    Ok(Burst { milliseconds, calls_per_second })
}
