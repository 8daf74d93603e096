//! Abuse over HTTP by many sessions and many connections.

use std::{
    io::Write as _,
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    time::Instant,
};

use crate::{
    Claimed, Gains, Others, Result,
    http::Client,
    payload::{self, WITH_BATCHES},
    server::Server,
};

/// The number of sessions to open, which is more than a server allows by default.
const SESSIONS: usize = 20_000;

/// The number of large bodies that a server receives at the same time by default.
const BODIES: u8 = 255;

/// The address of the client that does not abuse the server.
const OTHER: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// Opens sessions from two addresses and does not use them. Then another client opens a session.
pub(crate) fn session_flood(program: &Path) -> Result<Claimed> {
    let (server, address) = Server::over_http(program)?;
    let mut opened = 0;
    for from in [2, 3] {
        let mut client = Client::connect(address, Ipv4Addr::new(127, 0, 0, from))?;
        for _ in 0..SESSIONS / 2 {
            opened += usize::from(client.post(&payload::initialize(WITH_BATCHES))?.status == 200);
        }
    }
    let others = measure(address, &payload::initialize(WITH_BATCHES))?;
    Ok(Claimed { peak: server.peak()?, others, gains: Gains::Sessions(opened) })
}

/// Begins to send large bodies from many addresses, and does not finish them. Then another client sends a large body.
pub(crate) fn slow_bodies(program: &Path) -> Result<Claimed> {
    let (server, address) = Server::over_http(program)?;
    let mut slow = Vec::new();
    for from in 0..=BODIES {
        let mut client = Client::connect(address, Ipv4Addr::new(127, 0, 1, from))?;
        client.begin(1_000_000, &" ".repeat(100_000))?;
        slow.push(client);
    }
    let others = measure(address, &format!("{}{}", payload::initialize(WITH_BATCHES), " ".repeat(200_000)))?;
    Ok(Claimed { peak: server.peak()?, others, gains: Gains::Nothing })
}

/// Measures how another client fares with one message.
fn measure(address: SocketAddr, message: &str) -> Result<Others> {
    let mut other = Client::connect(address, OTHER)?;
    let begin = Instant::now();
    let reply = other.post(message)?;
    Ok(if reply.status == 200 { Others::Waited(begin.elapsed()) } else { Others::Refused(reply.status) })
}

impl Client {
    /// Sends the head of a message with `length` bytes, and then `body`, which is the beginning of the message.
    fn begin(&mut self, length: usize, body: &str) -> Result<()> {
        let head = self.head(length);
        let connection = self.connection.get_mut();
        connection.write_all(head.as_bytes())?;
        Ok(connection.write_all(body.as_bytes())?)
    }
}
