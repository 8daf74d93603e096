//! The memory of a server for calls that wait for the client's answer. It is the growth of `VmRSS` over 10,000 such
//! calls. It includes the data of the calls, which are 100 B of text, the question about the text, and the author's
//! future.

use crate::{
    Result,
    contestant::{self, Contestant},
    conversation::Conversation,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

const CALLS: u32 = 10_000;

pub(crate) fn measure() -> Result<Vec<Row>> {
    let [floor, rmcp, _] = &contestant::ALL;
    let (asking, sealed) = (&contestant::ASKING, &contestant::sealed()?);
    let confirm = Workload { ask: Ask::Confirm("confirm"), era: Era::Modern, tools: 2 };
    let hand_over = Workload { ask: Ask::Confirm("hand_over"), ..confirm };
    let others = [bytes_per_call(floor, &confirm)?, bytes_per_call(rmcp, &confirm)?];
    let row = |name: &str, workload, [floor, rmcp]: [f64; 2], ours| -> Result<Row> {
        Ok(Row::new(name, Unit::Bytes, [floor, rmcp, bytes_per_call(ours, workload)?]).at_most(3440.0))
    };
    const NOBODY: [f64; 2] = [f64::NAN; 2];
    Ok(vec![
        row("a confirmation that waits", &confirm, others, asking)?,
        row("the same, sealed", &confirm, others, sealed)?,
        row("the same as a `#[handoff]`", &hand_over, NOBODY, asking)?,
        row("the same, sealed", &hand_over, NOBODY, sealed)?,
    ])
}

fn bytes_per_call(contestant: &Contestant, workload: &Workload) -> Result<f64> {
    let mut conversation = Conversation::start(contestant.command(&[], workload), workload)?;
    conversation.ask(workload, CALLS / 10)?; // warms up
    let before = conversation.resident()?;
    let mut requests = workload.requests();
    let mut line = Vec::new();
    for _ in 0..CALLS {
        line.clear();
        requests.push_next(&mut line);
        conversation.send(&line)?;
        conversation.reply()?;
    }
    let after = conversation.resident()?;
    conversation.end()?;
    Ok((after - before) / f64::from(CALLS))
}
