//! A running server, and a client that keeps one request in flight.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use crate::{Result, memory_of::memory_of, workload::Workload};

pub(crate) struct Conversation {
    server: Child,
    pub(crate) input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Conversation {
    /// Starts a server. If the revision has sessions, opens a session.
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

    /// Sends `count` requests, one after the other, and answers the questions of the server. Checks the first reply
    /// completely.
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

    /// Sends one request and returns the reply without parsing it.
    pub(crate) fn ask_once(&mut self, workload: &Workload) -> Result<String> {
        let mut line = Vec::new();
        workload.requests().push_next(&mut line);
        self.send(&line)?;
        self.reply()
    }

    /// Returns the next line that the server writes.
    pub(crate) fn reply(&mut self) -> Result<String> {
        let mut reply = String::new();
        match self.output.read_line(&mut reply)? {
            0 => Err(format!("the server ended: {}", self.server.wait()?).into()),
            _ => Ok(reply),
        }
    }

    /// Reads what the server has written, and waits for at least one byte. Returns the number of line ends in it.
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

    /// Returns the resident memory of the server in bytes.
    pub(crate) fn resident(&self) -> Result<f64> {
        Ok(memory_of(self.process_id(), "VmRSS")? as f64)
    }

    pub(crate) fn process_id(&self) -> u32 {
        self.server.id()
    }

    /// Closes the standard input of the server, and waits until the server exits with success.
    pub(crate) fn end(self) -> Result<()> {
        let Self { mut server, input, .. } = self;
        drop(input);
        let status = server.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }
}
