//! A child process of the program, from its start to its end.

use std::{
    collections::VecDeque,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::AsyncWriteExt as _,
    process::{ChildStderr, ChildStdin, ChildStdout, Command},
    sync::{Mutex as AsyncMutex, watch},
    time::{sleep, timeout},
};

use crate::{
    base::mutex::Mutex,
    edge::{
        dev::{process_group::ProcessGroup, reported::ReportLine, target::Reported},
        own_program::{SERVING, error_of},
    },
    serve::remote::transport::lines::BoundedLines,
};

/// How long a process may take to end after its standard input is closed.
const ENDING: Duration = Duration::from_secs(2);

/// The longest line of standard error, in bytes. A longer one is read in parts.
const LONGEST_LINE: usize = 256 * 1024;

/// How many bytes of standard error are kept to explain the end of a process.
const KEPT: usize = 64 * 1024;

/// A child process. All clones are the same process. A task of the runtime waits for its end.
#[derive(Clone)]
pub(super) struct ChildProcess(Arc<ChildState>);

struct ChildState {
    id: u32,
    started: Instant,
    input: AsyncMutex<Option<ChildStdin>>,
    /// Whether the process shall end, and how.
    wanted_end: watch::Sender<WantedEnd>,
    ended: watch::Sender<Option<ChildEnd>>,
    /// The URL at which the process listens.
    url: watch::Sender<Option<String>>,
    reports: AtomicBool,
    errors: Mutex<VecDeque<u8>>,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum WantedEnd {
    Never,
    Soon,
    Now,
}

/// How a process has ended.
#[derive(Clone, Debug)]
pub(super) struct ChildEnd {
    /// Whether this command has ended it.
    pub(super) is_wanted: bool,
    /// The status, and the error that the process has written.
    pub(super) reason: String,
    pub(super) ran: Duration,
}

impl ChildProcess {
    /// Starts a process. `heard` gets each report and each line of standard error, until the process has ended.
    ///
    /// # Errors
    /// Returns the reason why the program cannot be started.
    pub(super) fn start(
        command: &mut Command,
        heard: impl Fn(u32, Reported) + Send + 'static,
    ) -> Result<(Self, Option<ChildStdout>), String> {
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let spawned = ProcessGroup::spawn(command);
        let program = command.as_std().get_program().to_string_lossy();
        let mut group = spawned.map_err(|error| format!("`{program}` cannot be started: {error}"))?;
        let child = group.child();
        let (input, output, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let state = Arc::new(ChildState {
            id: child.id().unwrap_or_default(),
            started: Instant::now(),
            input: AsyncMutex::new(input),
            wanted_end: watch::Sender::new(WantedEnd::Never),
            ended: watch::Sender::new(None),
            url: watch::Sender::new(None),
            reports: AtomicBool::new(false),
            errors: Mutex::default(),
        });
        tokio::spawn(Arc::clone(&state).run(group, stderr, heard));
        Ok((Self(state), output))
    }

    pub(super) fn id(&self) -> u32 {
        self.0.id
    }

    /// Whether the process has told that it reports, as every program with the feature `dev` does first.
    pub(super) fn has_reported(&self) -> bool {
        self.0.reports.load(Ordering::Relaxed)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.0.ended.borrow().is_some()
    }

    /// Waits until the process listens. Returns its URL. Never completes if the process does not listen.
    pub(super) async fn url(&self) -> String {
        let mut url = self.0.url.subscribe();
        // The sender lives as long as `self`.
        url.wait_for(Option::is_some).await.ok().and_then(|url| url.clone()).unwrap_or_default()
    }

    /// Waits until the process has ended.
    pub(super) async fn ended(&self) -> ChildEnd {
        let mut ended = self.0.ended.subscribe();
        let unknown = || ChildEnd { is_wanted: true, reason: String::new(), ran: Duration::ZERO };
        ended.wait_for(Option::is_some).await.ok().and_then(|end| end.clone()).unwrap_or_else(unknown)
    }

    /// Writes a line to standard input. If the process does not read any more, its end says why.
    pub(super) async fn write(&self, text: &str) {
        if let Some(input) = &mut *self.0.input.lock().await {
            let _ = input.write_all(format!("{text}\n").as_bytes()).await;
        }
    }

    /// Closes standard input, so that the process ends. It is killed if it does not end soon.
    pub(super) fn end(&self) {
        match self.0.input.try_lock() {
            Ok(mut input) => drop(input.take()),
            // Blocked in a write, because the process does not read.
            Err(_) => return self.kill(),
        }
        self.want(WantedEnd::Soon);
    }

    /// Kills the process without a warning.
    pub(super) fn kill(&self) {
        self.want(WantedEnd::Now);
    }

    /// Returns the last part of what the process has written to standard error.
    pub(super) fn errors(&self) -> String {
        String::from_utf8_lossy(self.0.errors.lock().make_contiguous()).into_owned()
    }

    fn want(&self, end: WantedEnd) {
        self.0.wanted_end.send_if_modified(|known| {
            let is_more = *known < end;
            if is_more {
                *known = end;
            }
            is_more
        });
    }
}

impl ChildState {
    async fn run(
        self: Arc<Self>,
        mut group: ProcessGroup,
        stderr: Option<ChildStderr>,
        heard: impl Fn(u32, Reported) + Send + 'static,
    ) {
        let state = Arc::clone(&self);
        let mut reading = tokio::spawn(async move {
            let Some(stderr) = stderr else { return };
            let mut lines = BoundedLines::new(stderr, LONGEST_LINE);
            while let Some(line) = lines.next().await {
                state.hear(&line.into_text(), &heard);
            }
        });
        let mut wanted_end = self.wanted_end.subscribe();
        let status = loop {
            let wanted = *wanted_end.borrow_and_update();
            if wanted == WantedEnd::Now {
                group.kill();
            }
            tokio::select! {
                status = group.child().wait() => break status,
                // The sender lives as long as `self`.
                _ = wanted_end.changed() => {}
                () = sleep(ENDING), if wanted == WantedEnd::Soon => group.kill(),
            }
        };
        // A process that this one has started may keep standard error open.
        let _ = timeout(ENDING, &mut reading).await;
        reading.abort();
        let is_wanted = *self.wanted_end.borrow() != WantedEnd::Never;
        let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        let written = String::from_utf8_lossy(self.errors.lock().make_contiguous()).into_owned();
        let reason = match explanation(&written) {
            explanation if explanation.is_empty() => status,
            explanation => format!("{status}: {explanation}"),
        };
        let end = ChildEnd { is_wanted, reason, ran: self.started.elapsed() };
        self.ended.send_replace(Some(end));
    }

    fn hear(&self, line: &str, heard: &impl Fn(u32, Reported)) {
        let ReportLine { output, report } = ReportLine::read(line);
        if !output.is_empty() || report.is_none() {
            if let Some(url) = output.strip_prefix(SERVING) {
                self.url.send_replace(Some(url.trim().to_owned()));
            }
            let mut errors = self.errors.lock();
            errors.extend(output.as_bytes());
            errors.push_back(b'\n');
            let excess = errors.len().saturating_sub(KEPT);
            errors.drain(..excess);
            drop(errors);
            heard(self.id, Reported::Output { line: output.to_owned() });
        }
        if let Some(report) = report {
            self.reports.fetch_or(matches!(report, Reported::Started { .. }), Ordering::Relaxed);
            heard(self.id, report);
        }
    }
}

/// Returns what a process has written about its end: its error, or its panic.
fn explanation(written: &str) -> String {
    let error = error_of(written);
    if !error.is_empty() {
        return error;
    }
    let Some(panic) =
        written.rfind("\nthread '").map(|at| at + 1).or_else(|| written.starts_with("thread '").then_some(0))
    else {
        return String::new();
    };
    let lines = written[panic..].lines().take_while(|line| !line.starts_with("note: ") && !line.starts_with("stack "));
    lines.take(8).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
