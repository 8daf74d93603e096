//! The servers.

use std::{
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{Result, Services, free_address::free_address, memory_of::memory_of, processor_time::processor_time};

/// How long a server may take to start.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sdk {
    Ours,
    Rmcp,
    TypeScript,
    FastMcp,
}

impl Sdk {
    pub(crate) const ALL: [Self; 4] = [Self::Ours, Self::Rmcp, Self::TypeScript, Self::FastMcp];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ours => "mcp-runtime",
            Self::Rmcp => "rmcp",
            Self::TypeScript => "typescript",
            Self::FastMcp => "fastmcp",
        }
    }

    pub(crate) fn named(name: &str) -> Result<Self> {
        let sdk = Self::ALL.into_iter().find(|sdk| sdk.name() == name);
        let names = Self::ALL.map(Self::name).join("`, `");
        sdk.ok_or_else(|| format!("there is no `{name}`; the servers are `{names}`").into())
    }

    /// Returns the command that starts the server, but for its address, with the words of `wrapper` before it. Installs
    /// what the server needs first.
    pub(crate) fn command(self, services: &Services, wrapper: &[&str]) -> Result<ServerCommand> {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (words, is_rust) = match self {
            Self::Ours => (vec![PathBuf::from(env!("CARGO_BIN_EXE_shop_ours"))], true),
            Self::Rmcp => (vec![PathBuf::from(env!("CARGO_BIN_EXE_shop_rmcp"))], true),
            Self::TypeScript => {
                install("install", &[&package.join("typescript")])?;
                (vec!["node".into(), package.join("typescript/shop.mjs")], false)
            }
            Self::FastMcp => {
                let python = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shop-python");
                let requirements = package.join("fastmcp/requirements.txt");
                install("python", &[&python, Path::new("--requirement"), &requirements])?;
                (vec![python.join("bin/python"), package.join("fastmcp/shop.py")], false)
            }
        };
        let words = wrapper.iter().map(PathBuf::from).chain(words).collect();
        Ok(ServerCommand { words, is_rust, services: [services.redis.url(), services.prices.url.clone()] })
    }
}

/// Runs one of the scripts in `.ci` that install packages.
pub(crate) fn install(script: &str, arguments: &[&Path]) -> Result<()> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci").join(script);
    let status = Command::new("bash").arg(script).args(arguments).stdout(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err("its packages cannot be installed".into()) }
}

pub(crate) struct ServerCommand {
    words: Vec<PathBuf>,
    is_rust: bool,
    services: [String; 2],
}

impl ServerCommand {
    /// Starts the server on a free port, and waits until it listens.
    pub(crate) fn start(&self) -> Result<Server> {
        let address = free_address().ok_or("there is no free port")?;
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        match self.is_rust {
            true => command.arg(address.to_string()),
            false => command.args([address.ip().to_string(), address.port().to_string()]),
        };
        command.args(&self.services).env("MCP_STATE_KEY", KEY).stdin(Stdio::piped());
        let server = Server { process: command.spawn()?, address };
        let begin = Instant::now();
        while TcpStream::connect(address).is_err() {
            if STARTS_WITHIN < begin.elapsed() {
                return Err("the server does not listen".into());
            }
            sleep(Duration::from_millis(5));
        }
        Ok(server)
    }
}

/// Seals the states of all instances.
const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A running server. It is killed when it is dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Returns the most memory that was resident so far, in bytes.
    pub(crate) fn most_memory(&self) -> Result<u64> {
        memory_of(self.process.id(), "VmHWM")
    }

    /// Returns the processor time of all threads.
    pub(crate) fn processor_time(&self) -> Result<Duration> {
        processor_time(self.process.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
