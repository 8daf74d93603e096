//! A server at a socket, and clients that send raw bytes.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use mcp_runtime::Server;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::{Instant, timeout},
};

/// A time limit that no operation of these tests reaches.
const LONG: Duration = Duration::from_secs(20);

pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

impl Served {
    pub(crate) async fn of(server: Server) -> Self {
        let service = server.build().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(async move {
            service.serve_listener(listener, async move { drop(stopped.await) }).await;
        });
        Self { address, stop, served }
    }

    pub(crate) async fn connect(&self) -> Client {
        Client::at(self.address).await
    }

    /// Connects from another address of this machine.
    #[cfg(target_os = "linux")]
    pub(crate) async fn connect_from(&self, from: IpAddr) -> Client {
        Client::from(from, self.address).await
    }

    /// Stops the server, and returns how long this took.
    pub(crate) async fn stop(self) -> Duration {
        let start = Instant::now();
        self.stop.send(()).unwrap();
        timeout(LONG, self.served).await.expect("it stops").unwrap();
        start.elapsed()
    }
}

pub(crate) struct Client {
    pub(crate) stream: TcpStream,
    read: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The head of the response in lower case.
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    pub(crate) fn code(&self) -> i64 {
        self.json()["error"]["code"].as_i64().unwrap_or_else(|| panic!("{self:?}"))
    }
}

impl Client {
    pub(crate) async fn at(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), read: Vec::new() }
    }

    pub(crate) async fn from(from: IpAddr, address: SocketAddr) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((from, 0).into()).unwrap();
        Self { stream: socket.connect(address).await.unwrap(), read: Vec::new() }
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Sends as many bytes as the server accepts. The server may stop reading a rejected request.
    pub(crate) async fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        timeout(LONG, self.stream.write_all(bytes.as_ref())).await.expect("it is taken or refused")
    }

    /// Returns the next response.
    pub(crate) async fn answer(&mut self) -> Answer {
        self.next_answer().await.expect("there is an answer")
    }

    /// Returns the next response, or `None` if the server closes the connection first.
    pub(crate) async fn next_answer(&mut self) -> Option<Answer> {
        let end = loop {
            match self.read.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(end) => break end,
                None if self.read_more().await => {}
                None => return None,
            }
        };
        let head = String::from_utf8(self.read.drain(..end + 4).collect()).unwrap().to_ascii_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let length: usize = length.unwrap_or(0);
        while self.read.len() < length {
            assert!(self.read_more().await, "the response breaks off: {head}");
        }
        let body = String::from_utf8(self.read.drain(..length).collect()).unwrap();
        Some(Answer { status, head, body })
    }

    /// Returns the next message of an event stream, or `None` if the stream ends first.
    pub(crate) async fn next_message(&mut self) -> Option<Value> {
        loop {
            let mut lines = self.read.split_inclusive(|byte| *byte == b'\n');
            let mut passed = 0;
            let message = lines.find_map(|line| {
                passed += line.len();
                serde_json::from_slice(line.strip_prefix(b"data: ")?.strip_suffix(b"\n")?).ok()
            });
            if message.is_some() {
                self.read.drain(..passed);
                return message;
            }
            // The last chunk, which is empty.
            if self.read == b"0\r\n\r\n" || self.read.ends_with(b"\r\n0\r\n\r\n") || !self.read_more().await {
                return None;
            }
        }
    }

    /// Waits until the server closes the connection, and returns how long this took.
    pub(crate) async fn closed(&mut self) -> Duration {
        let start = Instant::now();
        while self.read_more().await {}
        start.elapsed()
    }

    async fn read_more(&mut self) -> bool {
        let read = timeout(LONG, self.stream.read_buf(&mut self.read)).await.expect("it is answered or closed");
        matches!(read, Ok(1..))
    }
}
