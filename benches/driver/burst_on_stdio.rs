//! The burst, written at once to standard input.

use std::{
    io::{BufRead as _, Write as _},
    time::Instant,
};

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
    conversation.input.write_all(&sent)?;
    let mut answered = 0;
    while answered < CALLS {
        let replies = conversation.output.fill_buf()?;
        if replies.is_empty() {
            return Err("the server ended".into());
        }
        answered += replies.iter().filter(|byte| **byte == b'\n').count();
        let length = replies.len();
        conversation.output.consume(length);
    }
    let time = begin.elapsed();
    conversation.end()?;
    Ok(time.as_secs_f64() * 1e3)
}
