//! The burst, each call on a connection of its own.

use std::time::{Duration, Instant};

use super::Crowd;
use crate::{
    Result,
    burst::{self, CALLS, NAP},
    contestant::{self, Contestant},
    report::Row,
    server::Server,
};

pub(crate) fn measure() -> Result<Vec<Row>> {
    let [_, rmcp, ours] = &contestant::ALL;
    burst::measure(rmcp, ours, one_round)
}

/// None may be lost.
fn one_round(contestant: &Contestant) -> Result<f64> {
    let server = Server::start(contestant.command(&["prlimit", "--nofile=8192"]), &NAP)?;
    let mut crowd = Crowd::connect(&server, &NAP, CALLS)?;
    crowd.exchange(Duration::ZERO)?; // warms up
    let begin = Instant::now();
    crowd.exchange(Duration::ZERO)?;
    let time = begin.elapsed();
    if crowd.lost > 0 {
        return Err(format!("{}: {} of {CALLS} calls were not answered", contestant.name, crowd.lost).into());
    }
    drop(crowd);
    server.end()?;
    Ok(time.as_secs_f64() * 1e3)
}
