//! A running server.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

use crate::{
    Result,
    memory_of::memory_of,
    workload::{Era, Workload},
};

/// How long a server may take to start. A server under callgrind starts slowly.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

/// The number of ports to choose from, which are 20,000 to 32,000.
const MOST_PORTS: u32 = 12_000;

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
        let mut nanoseconds = 0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.process.id()))? {
            let figures = fs::read_to_string(thread?.path().join("schedstat"))?;
            nanoseconds += figures.split_whitespace().next().ok_or("`schedstat` is empty")?.parse::<u64>()?;
        }
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// Closes the standard input of the server, and waits until the server exits with success.
    pub(crate) fn end(mut self) -> Result<()> {
        drop(self.process.stdin.take());
        let status = self.process.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }
}

/// Returns an address on which no server listens yet. Returns each address only once, because several servers start at
/// the same time. The ports are below the range of client ports. Otherwise, a client that connects too early could get
/// the same port and connect to itself.
fn free_address() -> Option<SocketAddr> {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    (0..MOST_PORTS).find_map(|_| {
        let number = std::process::id().wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % MOST_PORTS;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 20_000 + number as u16));
        TcpListener::bind(address).is_ok().then_some(address)
    })
}

/// Kills the server if it was not ended before, so that no process is left behind.
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
