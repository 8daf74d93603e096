//! Abuse over HTTP. To add a case, write a function in this module and add a line to `CASES`.

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::Path,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::{
    net::TcpSocket,
    runtime::{Builder, Runtime},
};

use crate::{
    Claimed, Gains, Others, Result,
    payload::{self, WITH_BATCHES},
    server::Server,
};

pub(crate) fn batch_of_nonsense(program: &Path) -> Result<Claimed> {
    batch(program, &payload::batch_of_nonsense())
}

pub(crate) fn batch_of_lists(program: &Path) -> Result<Claimed> {
    batch(program, &payload::batch_of_lists())
}

/// Posts a batch while another client measures how long its `ping` takes.
fn batch(program: &Path, batch: &str) -> Result<Claimed> {
    let (server, address) = Server::over_http(program)?;
    let mut client = Client::open(address, Ipv4Addr::LOCALHOST, WITH_BATCHES)?;
    let mut other = Client::open(address, Ipv4Addr::LOCALHOST, WITH_BATCHES)?;
    let done = Arc::new(AtomicBool::new(false));
    let pinger = {
        let done = Arc::clone(&done);
        thread::spawn(move || {
            let mut longest = Duration::ZERO;
            for id in 1.. {
                let begin = Instant::now();
                other.post(&payload::ping(id)).map_err(|error| error.to_string())?;
                longest = longest.max(begin.elapsed());
                if done.load(Ordering::Relaxed) {
                    break;
                }
                thread::sleep(Duration::from_millis(1));
            }
            Ok::<_, String>(longest)
        })
    };
    thread::sleep(Duration::from_millis(50));
    let reply = client.post(batch)?;
    done.store(true, Ordering::Relaxed);
    let waited = pinger.join().map_err(|_| "the thread that sends `ping` panicked")??;
    Ok(Claimed { peak: server.peak()?, others: Others::Waited(waited), gains: Gains::Reply(reply.body.len()) })
}

/// A client with one connection. After the client has opened a session, it sends its requests in that session.
pub(crate) struct Client {
    pub(crate) connection: BufReader<TcpStream>,
    session: Option<String>,
    /// The headers of every request, one per line.
    pub(crate) headers: String,
}

/// The parts of a response that the benchmark reads.
pub(crate) struct Reply {
    pub(crate) status: u16,
    session: Option<String>,
    pub(crate) body: String,
}

impl Client {
    /// Connects from this address of the machine, and opens a session.
    pub(crate) fn open(address: SocketAddr, from: Ipv4Addr, revision: &str) -> Result<Self> {
        let mut client = Self::connect(address, from)?;
        client.session = client.post(&payload::initialize(revision))?.session;
        if client.session.is_none() {
            return Err("the server opened no session".into());
        }
        client.post(payload::INITIALIZED)?;
        Ok(client)
    }

    /// Connects from this address of the machine.
    pub(crate) fn connect(address: SocketAddr, from: Ipv4Addr) -> Result<Self> {
        // The standard library cannot choose the address that a connection comes from.
        static RUNTIME: LazyLock<io::Result<Runtime>> =
            LazyLock::new(|| Builder::new_current_thread().enable_io().build());
        let runtime = RUNTIME.as_ref().map_err(ToString::to_string)?;
        let connection = runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            // A port that was used can be used again at once: there are fewer than some cases need.
            socket.set_zero_linger()?;
            socket.bind((from, 0).into())?;
            socket.connect(address).await?.into_std()
        })?;
        connection.set_nonblocking(false)?;
        connection.set_nodelay(true)?;
        Ok(Self { connection: BufReader::new(connection), session: None, headers: String::new() })
    }

    /// Posts a message, waits for a question on the stream, and disconnects. Returns false if the server rejects the
    /// message.
    pub(crate) fn post_and_leave(&self, address: SocketAddr, from: Ipv4Addr, body: &str) -> Result<bool> {
        let mut client = Self { session: self.session.clone(), ..Self::connect(address, from)? };
        client.send(body)?;
        if !client.line()?.contains(" 200 ") {
            return Ok(false);
        }
        while !client.line()?.contains("elicitation/create") {}
        Ok(true)
    }

    pub(crate) fn post(&mut self, body: &str) -> Result<Reply> {
        self.send(body)?;
        self.response()
    }

    fn send(&mut self, body: &str) -> Result<()> {
        let head = self.head(body.len());
        self.connection.get_mut().write_all(head.as_bytes())?;
        Ok(self.connection.get_mut().write_all(body.as_bytes())?)
    }

    /// Returns the head of a message with `length` bytes.
    pub(crate) fn head(&self, length: usize) -> String {
        let session = self.session.as_ref().map_or(String::new(), |id| format!("Mcp-Session-Id: {id}\r\n"));
        let headers = &self.headers;
        format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{headers}{session}Content-Length: {length}\r\n\r\n"
        )
    }

    /// Reads a response that has a `Content-Length` or a chunked body.
    fn response(&mut self) -> Result<Reply> {
        let (mut session, mut length, mut chunked) = (None, 0, false);
        let status = self.line()?.split(' ').nth(1).ok_or("no status")?.parse()?;
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "mcp-session-id" => session = Some(value.to_owned()),
                "content-length" => length = value.parse()?,
                "transfer-encoding" => chunked = value == "chunked",
                _ => {}
            }
        }
        let mut body = String::new();
        if !chunked {
            self.append(length, &mut body)?;
            return Ok(Reply { status, session, body });
        }
        loop {
            let size = usize::from_str_radix(&self.line()?, 16)?;
            self.append(size, &mut body)?;
            self.line()?;
            if size == 0 {
                return Ok(Reply { status, session, body });
            }
        }
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        match self.connection.read_line(&mut line)? {
            0 => Err("the server closed the connection".into()),
            _ => Ok(line.trim_end().to_owned()),
        }
    }

    /// Reads this many bytes and appends them to `body`.
    fn append(&mut self, bytes: usize, body: &mut String) -> Result<()> {
        let read = self.connection.by_ref().take(bytes as u64).read_to_string(body)?;
        if read == bytes { Ok(()) } else { Err("the response breaks off".into()) }
    }
}
