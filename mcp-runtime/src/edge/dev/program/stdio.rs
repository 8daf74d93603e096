//! The processes that serve on standard input and output: one for each connection.

use std::{process::Stdio, sync::Arc, time::Duration};

use tokio::{
    process::ChildStdout,
    time::{Instant, sleep_until, timeout},
};

use super::{
    backoff::Backoff,
    child::{ChildEnd, ChildProcess},
    processes::Processes,
};
use crate::{
    base::{development::PRINCIPAL, mutex::Mutex},
    edge::dev::target::{ClientSetup, OpenedConnection, ServerInstance},
    serve::remote::transport::{
        Killing, ReceiveError, ServerText, TRUSTED_MAX_MESSAGE, Transfer, TransferError, Transport,
        lines::{BoundedLine, BoundedLines},
    },
};

/// A process that has closed its standard output may take this long to exit.
const ENDING: Duration = Duration::from_secs(2);

/// A client waits for a process that can be started within this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// The crashes of the processes of one instance.
#[derive(Default)]
pub(super) struct StdioCrashes(Mutex<(Backoff, Option<LastCrash>)>);

#[derive(Clone)]
struct LastCrash {
    reason: String,
    /// When the next process is started.
    until: Instant,
}

impl StdioCrashes {
    /// Forgets the crashes, because the program is another one now.
    pub(super) fn forget(&self) {
        *self.0.lock() = Default::default();
    }

    fn add(&self, ChildEnd { reason, ran, .. }: ChildEnd) {
        let (backoff, last) = &mut *self.0.lock();
        *last = Some(LastCrash { reason, until: Instant::now() + backoff.pause_after(ran) });
    }

    /// Waits until the next process can be started.
    async fn wait(&self) -> Result<(), String> {
        let last = self.0.lock().1.clone();
        let Some(LastCrash { reason, until }) = last else { return Ok(()) };
        let left = until.saturating_duration_since(Instant::now());
        if left > PATIENCE {
            let seconds = left.as_secs_f64();
            return Err(format!(
                "the last process of the server has ended: {reason}; another one is started in {seconds:.0} s"
            ));
        }
        sleep_until(until).await;
        Ok(())
    }
}

/// Starts a process for this client.
pub(super) async fn connect(
    processes: &Arc<Processes>,
    instance: ServerInstance,
    client: &ClientSetup,
) -> Result<OpenedConnection, String> {
    processes.stdio_crashes[instance as usize].wait().await?;
    let principal = client.principal.as_ref().and_then(|principal| serde_json::to_string(principal).ok());
    let (child, output) = processes.start(instance, &["stdio"], |command| {
        command.stdout(Stdio::piped());
        if let Some(principal) = principal {
            command.env(PRINCIPAL, principal);
        }
    })?;
    let output = output.ok_or("the standard output of the process is not a pipe")?;
    tokio::spawn({
        let (processes, child) = (Arc::clone(processes), child.clone());
        async move {
            let end = child.ended().await;
            if !end.is_wanted {
                processes.stdio_crashes[instance as usize].add(end);
            }
        }
    });
    let process = Some(child.id());
    Ok(OpenedConnection {
        transport: Box::new(StdioTransport { child, output: BoundedLines::new(output, TRUSTED_MAX_MESSAGE) }),
        process,
    })
}

struct StdioTransport {
    child: ChildProcess,
    output: BoundedLines<ChildStdout>,
}

impl StdioTransport {
    async fn next(&mut self) -> Result<ServerText, ReceiveError> {
        while let Some(line) = self.output.next().await {
            match line {
                BoundedLine::Whole(line) if line.trim().is_empty() => {}
                BoundedLine::Whole(line) => return Ok(line.into()),
                BoundedLine::Part(_) => return Err(TransferError::TooLong { limit: TRUSTED_MAX_MESSAGE }.into()),
            }
        }
        let why = match timeout(ENDING, self.child.ended()).await {
            Ok(ChildEnd { reason, .. }) => format!("the process of the server has ended: {reason}"),
            Err(_) => "the process of the server has closed its standard output".to_owned(),
        };
        Err(TransferError::Broken(why).into())
    }
}

impl Transport for StdioTransport {
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
        Box::pin(async move {
            self.child.write(text).await;
            Ok(())
        })
    }

    fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError> {
        Box::pin(self.next())
    }

    fn kill(&mut self) -> Killing<'_> {
        self.child.kill();
        Box::pin(async {
            self.child.ended().await;
            Some(self.child.errors()).filter(|text| !text.is_empty())
        })
    }
}

impl Drop for StdioTransport {
    fn drop(&mut self) {
        self.child.end();
    }
}
