//! A running server.

use std::{
    fs,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    Result,
    workload::{Era, Workload},
};

/// Under callgrind a server starts slowly.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

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
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no `VmRSS`")?;
        Ok(resident.trim().trim_end_matches(" kB").parse::<f64>()? * 1024.0)
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

/// Where nobody listens yet. Below the ports that connections begin from: one that is tried before the server listens
/// could be given that very port, and would be connected to itself.
fn free_address() -> Option<SocketAddr> {
    let first = 20_000 + (std::process::id() % 10_000) as u16;
    let mut ports = (first..32_000).map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    ports.find(|address| TcpListener::bind(address).is_ok())
}

/// One that is not told to end is not left behind.
impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
