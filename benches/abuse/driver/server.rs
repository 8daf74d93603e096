//! A running server, and its use of memory.

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{Result, memory_of::memory_of};

const STARTS_WITHIN: Duration = Duration::from_secs(30);

/// A server process. Dropping this value ends the process.
pub(crate) struct Server(pub(crate) Child);

impl Server {
    /// Starts a server that communicates over pipes.
    pub(crate) fn on_stdio(program: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        Ok(Self(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?))
    }

    /// Starts a server over HTTP, and returns it with its address.
    pub(crate) fn over_http(program: &Path) -> Result<(Self, SocketAddr)> {
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let server = Self(Command::new(program).arg(address.to_string()).stdin(Stdio::piped()).spawn()?);
        let begin = Instant::now();
        while TcpStream::connect(address).is_err() {
            if begin.elapsed() > STARTS_WITHIN {
                return Err("the server does not listen".into());
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok((server, address))
    }

    /// Returns the peak memory of the server in bytes.
    pub(crate) fn peak(&self) -> Result<u64> {
        memory_of(self.0.id(), "VmHWM")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
