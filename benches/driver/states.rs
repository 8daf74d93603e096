//! Instructions of states that must be opened, and of the rounds of a long call.

use std::process::Command;

use crate::{
    Result, callgrind,
    contestant::{self, Contestant},
    conversation::Conversation,
    report::{Row, Unit},
    workload::{Ask, Era, Requests, Workload},
};

/// The key of two instances: 32 bytes in base64.
const KEY: (&str, &str) = ("MCP_STATE_KEY", "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=");

const CONFIRM: Workload = Workload { ask: Ask::Confirm("confirm"), era: Era::Modern, tools: 2 };
const HAND_OVER: Workload = Workload { ask: Ask::Confirm("hand_over"), ..CONFIRM };
const OFTEN: Workload = Workload { ask: Ask::Confirm("confirm_often"), ..CONFIRM };

pub(crate) fn rows() -> Result<[Row; 3]> {
    let sealed = contestant::sealed()?;
    let row = |name: &str, figure, most| Row::new(name, Unit::Count, [f64::NAN, f64::NAN, figure]).at_most(most);
    let early = rounds(&sealed, 3, 9)?;
    Ok([
        row("confirmation, sealed, whose answer has its arguments spelled differently", respelled(&sealed)?, 58_800.0),
        row("second request of a sealed `#[handoff]`, at another instance", elsewhere(&sealed)?, 65_100.0),
        // A round costs the same, however many rounds came before.
        row("each of the rounds 24 to 30 of a `#[handoff]`, sealed", rounds(&sealed, 24, 30)?, 1.05 * early),
    ])
}

/// Measures confirmations. The second request has a space more in its arguments than the first one, so the server does
/// not recognize the state by the bytes of the request, and opens the state.
fn respelled(sealed: &Contestant) -> Result<f64> {
    counted(300, "respelled", &|wrapper| sealed.command(wrapper, &CONFIRM), |mut server, count| {
        let (mut requests, mut line) = (CONFIRM.requests(), Vec::new());
        for _ in 0..count {
            let id = begin(&mut requests, &mut server, &mut line)?;
            let respelled = String::from_utf8(line)?.replacen(r#""arguments":{"#, r#""arguments":{ "#, 1);
            line = respelled.into_bytes();
            server.send(&line)?;
            CONFIRM.check(&server.reply()?, id)?;
        }
        server.end()
    })
}

/// Measures the second request of a sealed `#[handoff]`. It goes to another instance with the same key, which has no
/// memory of the call.
fn elsewhere(sealed: &Contestant) -> Result<f64> {
    let instance = |wrapper: &[&str]| {
        let mut command = sealed.command(wrapper, &HAND_OVER);
        command.arg("instances").env(KEY.0, KEY.1);
        command
    };
    counted(300, "elsewhere", &instance, |mut second, count| {
        let mut first = Conversation::start(instance(&[]), &HAND_OVER)?;
        let (mut requests, mut line) = (HAND_OVER.requests(), Vec::new());
        for _ in 0..count {
            let id = begin(&mut requests, &mut first, &mut line)?;
            second.send(&line)?;
            HAND_OVER.check(&second.reply()?, id)?;
        }
        first.end()?;
        second.end()
    })
}

/// Begins a call, and writes the request that answers its question to `line`. Returns the id of that request.
fn begin(requests: &mut Requests, server: &mut Conversation, line: &mut Vec<u8>) -> Result<u64> {
    line.clear();
    requests.push_next(line);
    server.send(line)?;
    let question = server.reply()?;
    line.clear();
    Ok(requests.push_answer(&question, line).ok_or_else(|| format!("no question: {question}"))?)
}

/// Measures the rounds `from` to `to` of a call. Returns the instructions of one of them.
fn rounds(sealed: &Contestant, from: u32, to: u32) -> Result<f64> {
    Ok((first_rounds(sealed, to)? - first_rounds(sealed, from - 1)?) / f64::from(to - from + 1))
}

/// Measures a call that is answered this many times, and then stays open.
fn first_rounds(sealed: &Contestant, rounds: u32) -> Result<f64> {
    counted(20, &format!("{rounds}-rounds"), &|wrapper| sealed.command(wrapper, &OFTEN), |mut server, count| {
        let (mut requests, mut line) = (OFTEN.requests(), Vec::new());
        for _ in 0..count {
            line.clear();
            requests.push_next(&mut line);
            server.send(&line)?;
            for _ in 0..rounds {
                let question = server.reply()?;
                line.clear();
                requests.push_answer(&question, &mut line).ok_or_else(|| format!("no question: {question}"))?;
                server.send(&line)?;
            }
            server.reply()?;
        }
        server.end()
    })
}

/// Returns the instructions for each of `count` calls. `ask` sends this many calls to the server that `command` starts,
/// and ends the server.
fn counted(
    count: u32,
    name: &str,
    command: &(impl Fn(&[&str]) -> Command + Sync),
    ask: impl Fn(Conversation, u32) -> Result<()> + Sync,
) -> Result<f64> {
    callgrind::per_call(count, |count| {
        callgrind::instructions(&format!("{name}-{count}"), |wrapper, (variable, value)| {
            let mut command = command(wrapper);
            command.env(variable, value);
            // No workload here opens a session.
            ask(Conversation::start(command, &CONFIRM)?, count)
        })
    })
}
