//! A server in a child process. Each line of the process's standard input and output is one message.
//!
//! Three threads transfer the bytes, so that this module needs no further features of tokio.

use std::{
    future::ready,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use serde_json::Value;
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{sleep, timeout},
};

use super::{Killing, Target, Transfer, Transport, stderr::StandardError};
use crate::{base::mutex::Mutex, edge::testing::connection::ClientSettings};

/// A process that has closed its standard output may take this long to exit.
const ENDING: Duration = Duration::from_secs(2);

/// A running server process. It is killed on drop.
struct Process {
    child: Child,
    input: mpsc::Sender<String>,
    output: UnboundedReceiver<String>,
    errors: StandardError,
}

impl Target for Mutex<Command> {
    fn connect(&self, _: &ClientSettings) -> Result<Box<dyn Transport>, String> {
        Ok(Box::new(Process::start(&mut self.lock())?))
    }

    fn forget_futures(&self) -> Result<(), String> {
        Ok(())
    }
}

impl Transport for Process {
    fn send<'a>(&'a mut self, _: &'a Value, text: &'a str) -> Transfer<'a, ()> {
        // If the process has closed its standard input, `receive` reports the reason.
        let _ = self.input.send(format!("{text}\n"));
        Box::pin(ready(Ok(())))
    }

    fn receive(&mut self) -> Transfer<'_, String> {
        Box::pin(self.next())
    }

    fn kill(&mut self) -> Killing<'_> {
        // The process may have exited already.
        let _ = self.child.kill();
        Box::pin(async {
            self.read_errors().await;
            Some(self.errors.text()).filter(|text| !text.is_empty())
        })
    }
}

impl Process {
    fn start(command: &mut Command) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be started: {error}"))?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three streams are pipes")
        };
        let (input, lines) = mpsc::channel();
        thread::spawn(move || write_lines(stdin, &lines));
        let (heard, output) = unbounded_channel();
        thread::spawn(move || read_lines(stdout, &heard));
        Ok(Self { child, input, output, errors: StandardError::read(stderr) })
    }

    async fn next(&mut self) -> Result<String, String> {
        if let Some(line) = self.output.recv().await {
            return Ok(line);
        }
        self.read_errors().await;
        Err(match timeout(ENDING, self.status()).await {
            Ok(Some(status)) => format!("the process of the server has ended: {status}"),
            _ => "the process of the server has closed its standard output".to_owned(),
        })
    }

    /// Reads the whole standard error of a process that ends.
    async fn read_errors(&mut self) {
        // A child of the process may keep standard error open, so this wait may never end.
        let _ = timeout(ENDING, self.errors.ended()).await;
    }

    /// Waits for the exit status of a process that has closed its streams.
    async fn status(&mut self) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(None) => sleep(Duration::from_millis(10)).await,
                ended => return ended.ok().flatten(),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &mpsc::Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, heard: &UnboundedSender<String>) {
    for line in BufReader::new(stdout).split(b'\n') {
        let Ok(line) = line else { return };
        let line = String::from_utf8_lossy(&line);
        if !line.trim().is_empty() && heard.send(line.trim_end().to_owned()).is_err() {
            return;
        }
    }
}
