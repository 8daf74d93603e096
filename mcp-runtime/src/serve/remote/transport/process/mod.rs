//! A server in a child process. Each line of the process's standard input and output is one message.

mod errors;
mod input;
pub(crate) mod program;
#[cfg(all(test, unix))]
mod tests;

use std::{
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use tokio::{
    process::{Child, ChildStdout, Command},
    runtime::Handle,
    time::timeout,
};

use self::{errors::ErrorOutput, input::ProcessInput};
use super::{
    Killing, ReceiveError, ServerText, TRUSTED_MAX_MESSAGE, Transfer, TransferError, Transport, TransportClosing,
    lines::{BoundedLine, BoundedLines},
};

/// How long a process may take to exit after its standard input or output was closed.
const ENDING: Duration = Duration::from_secs(2);

/// A running server process. It is gone soon after its end or its drop.
pub(crate) struct Process {
    /// `None` while the process ends.
    child: Option<Child>,
    input: ProcessInput,
    output: BoundedLines<ChildStdout>,
    max_message: usize,
    errors: ErrorOutput,
    on_drop: OnDrop,
}

/// What happens to the process of a connection that is dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
enum OnDrop {
    /// It is killed at once. The thread waits for its end, because the next process can need its port or its files.
    Kill,
    /// Its standard input is closed, and it is killed if it does not exit soon. A task of the runtime waits for its end.
    End,
}

impl Transport for Process {
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
        Box::pin(self.input.send(text))
    }

    fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError> {
        Box::pin(self.next())
    }

    fn close(&mut self) -> TransportClosing<'_> {
        self.input.finish();
        let child = self.child.take();
        Box::pin(async {
            if let Some(child) = child {
                end(child).await;
            }
        })
    }

    fn kill(&mut self) -> Killing<'_> {
        if let Some(child) = &mut self.child {
            // The process may have exited already.
            let _ = child.start_kill();
        }
        Box::pin(async {
            self.errors.read_all().await;
            Some(self.errors_so_far()).filter(|text| !text.is_empty())
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        match (self.on_drop, Handle::try_current()) {
            (OnDrop::End, Ok(runtime)) => {
                self.input.close();
                // If the runtime ends first, it drops the child, which kills the process.
                runtime.spawn(end(child));
            }
            _ => kill_and_wait(&mut child),
        }
    }
}

impl Process {
    /// Starts a process, which is killed when it is dropped. It is trusted with large messages.
    ///
    /// # Errors
    /// Returns the reason why the program cannot be started.
    pub(crate) fn start(command: &mut Command) -> Result<Self, TransferError> {
        Self::spawn(command, TRUSTED_MAX_MESSAGE, OnDrop::Kill)
    }

    /// Returns the last part of what the process has written to standard error so far.
    pub(crate) fn errors_so_far(&self) -> String {
        self.errors.so_far()
    }

    fn spawn(command: &mut Command, max_message: usize, on_drop: OnDrop) -> Result<Self, TransferError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let spawned = command.kill_on_drop(true).spawn();
        let program = command.as_std().get_program().to_string_lossy();
        let failed = |error| TransferError::Unreachable(format!("`{program}` cannot be started: {error}"));
        let mut child = spawned.map_err(failed)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three streams are pipes")
        };
        Ok(Self {
            child: Some(child),
            input: ProcessInput::new(stdin),
            output: BoundedLines::new(stdout, max_message),
            max_message,
            errors: ErrorOutput::read(stderr),
            on_drop,
        })
    }

    async fn next(&mut self) -> Result<ServerText, ReceiveError> {
        while let Some(line) = self.output.next().await {
            match line {
                BoundedLine::Whole(line) if line.trim().is_empty() => {}
                BoundedLine::Whole(mut line) => {
                    line.truncate(line.trim_end().len());
                    return Ok(line.into());
                }
                BoundedLine::Part(_) => {
                    let limit = self.max_message;
                    // The rest of the line is not a message.
                    self.close().await;
                    return Err(TransferError::TooLong { limit }.into());
                }
            }
        }
        self.errors.read_all().await;
        let status = match &mut self.child {
            Some(child) => timeout(ENDING, child.wait()).await.ok().and_then(Result::ok),
            None => None,
        };
        let why = match status {
            Some(status) => format!("the process of the server has ended: {status}"),
            None => "the process of the server has closed its standard output".to_owned(),
        };
        Err(TransferError::Broken(why).into())
    }
}

/// Waits until a process exits whose standard input ends, and kills it if it does not exit soon.
async fn end(mut child: Child) {
    if timeout(ENDING, child.wait()).await.is_err() {
        // The process may have exited meanwhile.
        let _ = child.kill().await;
    }
}

fn kill_and_wait(child: &mut Child) {
    // The process may have exited already.
    let _ = child.start_kill();
    let until = Instant::now() + ENDING;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < until {
        thread::sleep(Duration::from_millis(1));
    }
}
