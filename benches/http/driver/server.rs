//! A running server.

use std::{
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    Result,
    free_address::free_address,
    memory_of::memory_of,
    processor_time::processor_time,
    workload::{Era, Workload},
};

/// How long a server may take to start. A server under callgrind starts slowly.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts a server with the tools of a workload, and waits until the server listens.
    pub(crate) fn start(mut command: Command, workload: &Workload) -> Result<Self> {
        let address = free_address().ok_or("there is no free port")?;
        command.arg(address.to_string()).arg(workload.served()).stdin(Stdio::piped());
        // How `rmcp` asks depends on the era; all others do not look at it.
        command.arg(if workload.era == Era::Modern { "modern" } else { "legacy" });
        let server = Self { process: command.spawn()?, address };
        let begin = Instant::now();
        while TcpStream::connect(address).is_err() {
            if begin.elapsed() > STARTS_WITHIN {
                return Err("the server does not listen".into());
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(server)
    }

    /// Returns the resident memory of the server in bytes.
    pub(crate) fn resident(&self) -> Result<f64> {
        Ok(memory_of(self.process.id(), "VmRSS")? as f64)
    }

    /// Returns the processor time that all threads of the server have used.
    pub(crate) fn processor_time(&self) -> Result<Duration> {
        processor_time(self.process.id())
    }

    /// Closes the standard input of the server, and waits until the server exits with success.
    pub(crate) fn end(mut self) -> Result<()> {
        drop(self.process.stdin.take());
        let status = self.process.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }
}

/// Kills the server if it was not ended before, so that no process is left behind.
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
