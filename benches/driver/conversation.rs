//! A running server and what is said to it, one request in flight.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use crate::{
    Result, contestant,
    memory_of::memory_of,
    workload::{Ask, Era, Workload},
};

pub(crate) struct Conversation {
    server: Child,
    pub(crate) input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    /// Starts a server and says what opens a session, if anything does.
    pub(crate) fn start(mut command: Command, workload: &Workload) -> Result<Self> {
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (server.stdin.take(), server.stdout.take()) else {
            return Err("the server has no pipes".into());
        };
        let mut conversation = Self { server, input, output: BufReader::with_capacity(1 << 16, output) };
        for (line, answered) in workload.opening() {
            conversation.input.write_all(line.as_bytes())?;
            if answered {
                conversation.reply()?;
            }
        }
        Ok(conversation)
    }

    /// Asks `count` times, each time waiting for the reply, and answers what is asked back. The first reply is looked
    /// at in full.
    pub(crate) fn ask(&mut self, workload: &Workload, count: u32) -> Result<()> {
        let (mut requests, mut line) = (workload.requests(), Vec::new());
        for turn in 0..count {
            line.clear();
            let mut id = requests.push_next(&mut line);
            self.send(&line)?;
            let mut reply = self.reply()?;
            for _ in 0..workload.questions() {
                line.clear();
                id = requests.push_answer(&reply, &mut line).ok_or_else(|| format!("no question: {reply}"))?;
                self.send(&line)?;
                reply = self.reply()?;
            }
            if turn == 0 {
                workload.check(&reply, id)?;
            }
        }
        Ok(())
    }

    /// Asks once and gives back the reply unread.
    pub(crate) fn ask_once(&mut self, workload: &Workload) -> Result<String> {
        let mut line = Vec::new();
        workload.requests().push_next(&mut line);
        self.send(&line)?;
        self.reply()
    }

    /// The next line the server writes.
    pub(crate) fn reply(&mut self) -> Result<String> {
        let mut reply = String::new();
        match self.output.read_line(&mut reply)? {
            0 => Err(format!("the server ended: {}", self.server.wait()?).into()),
            _ => Ok(reply),
        }
    }

    /// Takes what the server has written, at least one byte, and says how many lines end in it.
    pub(crate) fn take_lines(&mut self) -> Result<usize> {
        let replies = self.output.fill_buf()?;
        if replies.is_empty() {
            return Err("the server ended".into());
        }
        let (lines, length) = (replies.iter().filter(|byte| **byte == b'\n').count(), replies.len());
        self.output.consume(length);
        Ok(lines)
    }

    pub(crate) fn send(&mut self, lines: &[u8]) -> Result<()> {
        Ok(self.input.write_all(lines)?)
    }

    /// The bytes of memory that the server holds.
    pub(crate) fn resident(&self) -> Result<f64> {
        Ok(memory_of(self.process_id(), "VmRSS")? as f64)
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.server.id()
    }

    /// Closes the server's input and waits for it to end well.
    pub(crate) fn end(self) -> Result<()> {
        let Self { mut server, input, .. } = self;
        drop(input);
        let status = server.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }
}

/// Whether every server gives the right replies: without that, figures mean nothing.
pub(crate) fn check_replies() -> Result<()> {
    for contestant in &contestant::ALL {
        for ask in [Ask::Echo(100), Ask::Echo(100_000), Ask::List] {
            for (era, tools) in [(Era::Modern, 1), (Era::Legacy, 1), (Era::Modern, 100), (Era::Legacy, 100)] {
                let workload = Workload { ask, era, tools };
                let asked = || -> Result<()> {
                    let mut conversation = Conversation::start(contestant.command(&[], &workload), &workload)?;
                    conversation.ask(&workload, 2)?;
                    conversation.end()
                };
                asked().map_err(|error| format!("{}, {workload}: {error}", contestant.name))?;
            }
        }
    }
    Ok(())
}
