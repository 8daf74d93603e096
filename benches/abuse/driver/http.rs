//! Abuse over HTTP. A further case is a function here and a line in `CASES`.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::net::TcpSocket;

use crate::{
    Claimed, Others, Result,
    payload::{self, WITH_BATCHES},
    server::Server,
};

pub(crate) fn batch_of_nonsense(program: &PathBuf) -> Result<Claimed> {
    batch(program, &payload::batch_of_nonsense())
}

pub(crate) fn batch_of_lists(program: &PathBuf) -> Result<Claimed> {
    batch(program, &payload::batch_of_lists())
}

/// Posts a batch while another client measures how long its `ping` takes.
fn batch(program: &PathBuf, batch: &str) -> Result<Claimed> {
    let (server, address) = Server::over_http(program)?;
    let mut client = Client::open(address)?;
    let mut other = Client::open(address)?;
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
    Ok(Claimed { peak: server.peak()?, others: Others::Waited(waited), reply: Some(reply.body) })
}

/// A client on one connection, in a session once it has opened one.
pub(crate) struct Client {
    pub(crate) connection: BufReader<TcpStream>,
    session: Option<String>,
}

/// What is looked at of a response.
pub(crate) struct Reply {
    pub(crate) status: u16,
    session: Option<String>,
    /// The size of its body in bytes.
    body: usize,
}

impl Client {
    fn open(address: SocketAddr) -> Result<Self> {
        let mut client = Self::connect(address, Ipv4Addr::LOCALHOST)?;
        client.session = client.post(&payload::initialize(WITH_BATCHES))?.session;
        if client.session.is_none() {
            return Err("the server opened no session".into());
        }
        client.post(payload::INITIALIZED)?;
        Ok(client)
    }

    /// Connects from this address of the machine.
    pub(crate) fn connect(address: SocketAddr, from: Ipv4Addr) -> Result<Self> {
        // The standard library cannot choose the address that a connection comes from.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let connection = runtime.block_on(async {
            let socket = TcpSocket::new_v4()?;
            socket.bind((from, 0).into())?;
            socket.connect(address).await?.into_std()
        })?;
        connection.set_nonblocking(false)?;
        connection.set_nodelay(true)?;
        Ok(Self { connection: BufReader::new(connection), session: None })
    }

    pub(crate) fn post(&mut self, body: &str) -> Result<Reply> {
        let head = self.head(body.len());
        self.connection.get_mut().write_all(head.as_bytes())?;
        self.connection.get_mut().write_all(body.as_bytes())?;
        self.response()
    }

    /// The head of a message of so many bytes.
    pub(crate) fn head(&self, length: usize) -> String {
        let session = self.session.as_ref().map_or(String::new(), |id| format!("Mcp-Session-Id: {id}\r\n"));
        format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n{session}Content-Length: {length}\r\n\r\n"
        )
    }

    /// Reads a response whose length is told, or that comes in chunks.
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
        if !chunked {
            return Ok(Reply { status, session, body: self.skip(length)? });
        }
        let mut body = 0;
        loop {
            let size = usize::from_str_radix(&self.line()?, 16)?;
            body += self.skip(size)?;
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

    fn skip(&mut self, bytes: usize) -> Result<usize> {
        let skipped = std::io::copy(&mut self.connection.by_ref().take(bytes as u64), &mut std::io::sink())?;
        if skipped == bytes as u64 { Ok(bytes) } else { Err("the response breaks off".into()) }
    }
}
