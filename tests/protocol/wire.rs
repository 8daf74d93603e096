//! Connects to a server in memory, or to a real process over its standard input and output.

use std::{process::Stdio, time::Duration};

use mcp_runtime::{MemoryClient, Service};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    process::{Child, ChildStdin, Command},
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    task::JoinHandle,
    time::timeout,
};

/// How long a server may take for one message.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The program of the server of these tests.
pub(crate) const PROBE: &str = env!("CARGO_BIN_EXE_probe");

/// A client's end of a connection.
pub(crate) enum Wire {
    Memory(MemoryClient),
    Process(Process),
}

/// A server in a separate process.
pub(crate) struct Process {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    /// The lines of the server. A task reads them while the client does something else.
    lines: UnboundedReceiver<String>,
    reader: JoinHandle<()>,
}

impl Wire {
    pub(crate) fn memory(service: &Service) -> Self {
        Self::Memory(service.memory())
    }

    /// Runs the server of these tests as a process.
    pub(crate) fn process() -> Self {
        Self::Process(Process::start(&mut Command::new(PROBE)))
    }

    /// Runs the server that has few tools as a process.
    pub(crate) fn process_with_few_tools() -> Self {
        Self::Process(Process::start(Command::new(PROBE).arg("few")))
    }

    pub(crate) async fn send(&mut self, message: &str) {
        match self {
            Self::Memory(client) => client.send(message).await,
            Self::Process(process) => process.send(format!("{message}\n").as_bytes()).await,
        }
    }

    /// Returns the next message, or `None` at the end of the server's output.
    pub(crate) async fn receive(&mut self) -> Option<String> {
        let next = async {
            match self {
                Self::Memory(client) => client.receive().await,
                Self::Process(process) => process.receive().await,
            }
        };
        timeout(PATIENCE, next).await.expect("the server says nothing")
    }

    /// Sends a message and returns the next message of the server. `Client` is stricter, but it knows only servers that
    /// ask nothing.
    pub(crate) async fn exchange(&mut self, message: Value) -> Value {
        self.send(&message.to_string()).await;
        serde_json::from_str(&self.receive().await.unwrap()).unwrap()
    }

    /// Opens a session with a client that shows forms.
    pub(crate) async fn session_with_forms(service: &Service) -> Self {
        let mut wire = Self::memory(service);
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "c", "version": "1" },
        });
        wire.exchange(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })).await;
        wire
    }

    /// Closes the connection and returns the remaining messages. The server must end without an error.
    pub(crate) async fn close(self) -> Vec<String> {
        match self {
            Self::Memory(client) => client.close().await,
            Self::Process(process) => process.close().await,
        }
    }
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("the server starts");
        let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, lines) = unbounded_channel();
        let reader = tokio::spawn(async move {
            while let Some(line) = output.next_line().await.expect("UTF-8") {
                // A client that closes its end need not know what else comes.
                drop(sender.send(line));
            }
        });
        Self { input: child.stdin.take(), lines, reader, child }
    }

    /// Closes the server's output.
    pub(crate) fn stop_reading(&self) {
        self.reader.abort();
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        timeout(PATIENCE, input.write_all(bytes)).await.expect("the server reads").unwrap();
    }

    async fn receive(&mut self) -> Option<String> {
        self.lines.recv().await
    }

    async fn close(mut self) -> Vec<String> {
        drop(self.input.take());
        let mut rest = Vec::new();
        while let Some(line) = timeout(PATIENCE, self.receive()).await.expect("the server ends its output") {
            rest.push(line);
        }
        let status = timeout(PATIENCE, self.child.wait()).await.expect("the server ends").unwrap();
        assert!(status.success(), "{status}");
        rest
    }
}
