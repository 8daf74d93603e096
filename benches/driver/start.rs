//! The time from the start of a process to its first reply to `tools/list`, and the memory of the process at that time.

use std::time::Instant;

use crate::{
    Result,
    contestant::{self, Contestant},
    conversation::Conversation,
    figures::{ascending, median},
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

const STARTS: usize = 20;

pub(crate) fn measure() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (tools, most_megabytes) in [(1, 4.0), (100, 5.0)] {
        let list = Workload { ask: Ask::List, era: Era::Modern, tools };
        let mut starts: [Vec<Start>; 3] = Default::default();
        for _ in 0..STARTS {
            for (starts, contestant) in starts.iter_mut().zip(&contestant::ALL) {
                starts.push(start(contestant, &list)?);
            }
        }
        let times = starts.each_ref().map(|starts| ascending(starts.iter().map(|start| start.milliseconds)));
        let least = times.each_ref().map(|times| times[0]);
        let middle = times.each_ref().map(|times| times[STARTS / 2]);
        let memory = starts.each_ref().map(|starts| median(starts.iter().map(|start| start.megabytes)));
        let size = starts.each_ref().map(|starts| starts[0].bytes);
        // On a slow machine the floor is slow too: 1.8 ms where the limit of 3 ms was set.
        let quick = least[2] <= 3.0 || least[2] <= least[0] * 3.0 / 1.8;
        let limit = "≤ 3.0 ms or 1.67 × floor".to_owned();
        let with = if tools == 1 { "1 tool".to_owned() } else { format!("{tools} tools") };
        rows.extend([
            Row::new(format!("{with}: least"), Unit::Milliseconds, least).limit(limit, quick),
            Row::new(format!("{with}: median"), Unit::Milliseconds, middle),
            Row::new(format!("{with}: resident memory"), Unit::Megabytes, memory).at_most(most_megabytes),
            Row::new(format!("{with}: bytes of the list"), Unit::Count, size),
        ]);
    }
    Ok(rows)
}

#[derive(Clone, Copy)]
struct Start {
    milliseconds: f64,
    megabytes: f64,
    bytes: f64,
}

fn start(contestant: &Contestant, list: &Workload) -> Result<Start> {
    let begin = Instant::now();
    let mut conversation = Conversation::start(contestant.command(&[], list), list)?;
    let reply = conversation.ask_once(list)?;
    let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
    list.check(&reply, 1)?;
    let megabytes = conversation.resident()? / 1024.0 / 1024.0;
    conversation.end()?;
    Ok(Start { milliseconds, megabytes, bytes: reply.len() as f64 })
}
