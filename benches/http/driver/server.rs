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

/// Under callgrind a server starts slowly.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

/// From 20,000 to 32,000.
const MOST_PORTS: u32 = 12_000;

pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Starts a server of what a workload needs, and waits until it listens.
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

    /// The bytes of memory that it holds.
    pub(crate) fn resident(&self) -> Result<f64> {
        Ok(memory_of(self.process.id(), "VmRSS")? as f64)
    }

    /// What all its threads have used.
    pub(crate) fn processor_time(&self) -> Result<Duration> {
        let mut nanoseconds = 0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.process.id()))? {
            let figures = fs::read_to_string(thread?.path().join("schedstat"))?;
            nanoseconds += figures.split_whitespace().next().ok_or("`schedstat` is empty")?.parse::<u64>()?;
        }
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// Closes its standard input and waits for it to end well.
    pub(crate) fn end(mut self) -> Result<()> {
        drop(self.process.stdin.take());
        let status = self.process.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
    }
}

/// Where nobody listens yet; each once, for several servers start at a time. Below the ports that connections begin from:
/// one that is tried before the server listens could be given that very port, and would be connected to itself.
fn free_address() -> Option<SocketAddr> {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    (0..MOST_PORTS).find_map(|_| {
        let number = std::process::id().wrapping_add(GIVEN.fetch_add(1, Ordering::Relaxed)) % MOST_PORTS;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 20_000 + number as u16));
        TcpListener::bind(address).is_ok().then_some(address)
    })
}

/// One that is not told to end is not left behind.
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
