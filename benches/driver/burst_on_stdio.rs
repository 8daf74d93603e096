//! The burst, written at once to standard input.

use std::time::Instant;

use crate::{
    Result,
    burst::{self, CALLS, NAP},
    contestant::{self, Contestant},
    conversation::Conversation,
    report::Row,
};

pub(crate) fn measure() -> Result<Vec<Row>> {
    let [_, rmcp, _] = &contestant::ALL;
    burst::measure(rmcp, &contestant::ASKING, one_round)
}

fn one_round(contestant: &Contestant) -> Result<f64> {
    let mut conversation = Conversation::start(contestant.command(&[], &NAP), &NAP)?;
    conversation.ask(&NAP, 1)?;
    let (mut requests, mut sent) = (NAP.requests(), Vec::new());
    for _ in 0..CALLS {
        requests.push_next(&mut sent);
    }
    let begin = Instant::now();
    conversation.send(&sent)?;
    let mut answered = 0;
    while answered < CALLS {
        answered += conversation.take_lines()?;
    }
    let time = begin.elapsed();
    conversation.end()?;
    Ok(time.as_secs_f64() * 1e3)
}
