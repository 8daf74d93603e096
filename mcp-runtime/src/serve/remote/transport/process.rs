//! A server in a child process. Each line of the process's standard input and output is one message.

use std::{
    collections::VecDeque,
    process::Stdio,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Split},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    task::JoinHandle,
    time::timeout,
};

use super::{Killing, ReceiveError, ServerText, Transfer, TransferError, Transport};
use crate::base::mutex::Mutex;

/// A process that has closed its standard output may take this long to exit.
const ENDING: Duration = Duration::from_secs(2);

/// How many bytes of standard error are kept, to show them if something goes wrong. Earlier bytes are dropped.
const KEPT: usize = 64 * 1024;

/// A running server process. It is killed on drop, and gone afterwards.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: Split<BufReader<ChildStdout>>,
    /// The last part of what the process has written to standard error so far.
    errors: Arc<Mutex<VecDeque<u8>>>,
    reading_errors: JoinHandle<()>,
}

impl Transport for Process {
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
        Box::pin(async move {
            // If the process has closed its standard input, `receive` reports the reason.
            let _ = self.input.write_all(format!("{text}\n").as_bytes()).await;
            Ok(())
        })
    }

    fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError> {
        Box::pin(self.next())
    }

    fn kill(&mut self) -> Killing<'_> {
        // The process may have exited already.
        let _ = self.child.start_kill();
        Box::pin(async {
            self.read_errors().await;
            Some(self.errors_so_far()).filter(|text| !text.is_empty())
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.start_kill();
        // The next process can need its port or its files.
        let until = Instant::now() + ENDING;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Process {
    /// Starts a process.
    ///
    /// # Errors
    /// Returns the reason why the program cannot be started.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let spawned = command.spawn();
        let program = command.as_std().get_program().to_string_lossy();
        let mut child = spawned.map_err(|error| format!("`{program}` cannot be started: {error}"))?;
        let (Some(input), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three streams are pipes")
        };
        let errors = Arc::default();
        let reading_errors = tokio::spawn(read_errors(stderr, Arc::clone(&errors)));
        Ok(Self { child, input, output: BufReader::new(stdout).split(b'\n'), errors, reading_errors })
    }

    /// Returns the last part of what the process has written to standard error so far.
    pub(crate) fn errors_so_far(&self) -> String {
        String::from_utf8_lossy(self.errors.lock().make_contiguous()).into_owned()
    }

    async fn next(&mut self) -> Result<ServerText, ReceiveError> {
        while let Ok(Some(line)) = self.output.next_segment().await {
            let line = String::from_utf8_lossy(&line);
            if !line.trim().is_empty() {
                return Ok(line.trim_end().to_owned().into());
            }
        }
        self.read_errors().await;
        let why = match timeout(ENDING, self.child.wait()).await {
            Ok(Ok(status)) => format!("the process of the server has ended: {status}"),
            _ => "the process of the server has closed its standard output".to_owned(),
        };
        Err(TransferError::Broken(why).into())
    }

    /// Reads the whole standard error of a process that ends.
    async fn read_errors(&mut self) {
        if !self.reading_errors.is_finished() {
            // A child of the process may keep standard error open, so this wait may never end.
            let _ = timeout(ENDING, &mut self.reading_errors).await;
        }
    }
}

async fn read_errors(mut stderr: ChildStderr, errors: Arc<Mutex<VecDeque<u8>>>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
        let mut errors = errors.lock();
        errors.extend(&bytes[..count]);
        let excess = errors.len().saturating_sub(KEPT);
        errors.drain(..excess);
    }
}
