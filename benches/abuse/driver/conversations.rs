//! Abuse over HTTP by calls that ask the user a question and get no answer.

use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    time::Instant,
};

use crate::{Claimed, Gains, Others, Result, http::Client, payload, server::Server};

/// A tool whose calls can be rebuilt. The ledger stores the large data of these calls.
const REBUILT: &str = "hand_over";

/// A tool whose calls cannot be rebuilt. Each of these calls waits in memory.
const PARKED: &str = "confirm";

const ABUSER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const OTHER: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// The length of the text in a large call, in bytes.
const LARGE: usize = 60 * 1024;
const MIDDLE: usize = 10 * 1024;
const SMALL: usize = 10;

/// Begins large calls and answers them, so that their records stay. Then another client begins a call and answers it.
pub(crate) fn large(program: &Path) -> Result<Claimed> {
    let (server, address) = Server::over_http(program)?;
    let mut abuser = Caller::connect(address, ABUSER, REBUILT)?;
    let mut begun = 0;
    for _ in 0..366 {
        if let Ok(state) = abuser.ask(LARGE)? {
            abuser.answer(LARGE, &state, Instant::now())?;
            begun += 1;
        }
    }
    let others = measure(address, REBUILT, LARGE)?;
    Ok(Claimed { peak: server.peak()?, others, gains: Gains::Calls(begun) })
}

/// Begins large calls and answers none.
pub(crate) fn large_parked(program: &Path) -> Result<Claimed> {
    let (server, address) = Server::over_http(program)?;
    let begun = begin(address, PARKED, LARGE, 2000)?;
    let others = measure(address, PARKED, LARGE)?;
    Ok(Claimed { peak: server.peak()?, others, gains: Gains::Calls(begun) })
}

/// A client begins a call. Another client begins many calls and answers none. Then the first client answers its call.
pub(crate) fn parked(program: &Path) -> Result<Claimed> {
    let (server, address) = Server::over_http(program)?;
    let mut other = Caller::connect(address, OTHER, PARKED)?;
    let state = other.ask(SMALL)?.map_err(|status| format!("the first call is refused with {status}"))?;
    let begun = begin(address, PARKED, SMALL, 20_000)?;
    let others = other.answer(SMALL, &state, Instant::now())?;
    Ok(Claimed { peak: server.peak()?, others, gains: Gains::Calls(begun) })
}

/// Begins many calls in sessions of 2025-11-25, in which a call waits on the stream of its request. The client breaks
/// the connection.
pub(crate) fn in_sessions(program: &Path) -> Result<Claimed> {
    let (server, address) = Server::over_http(program)?;
    let mut begun = 0;
    for _ in 0..5 {
        let session = Client::open(address, ABUSER, "2025-11-25")?;
        for id in 1..=4000 {
            let call = payload::ask_in_session(id, PARKED, MIDDLE);
            begun += usize::from(session.post_and_leave(address, ABUSER, &call)?);
        }
    }
    let others = measure(address, PARKED, MIDDLE)?;
    Ok(Claimed { peak: server.peak()?, others, gains: Gains::Calls(begun) })
}

/// Measures how another client fares when it begins one such call and answers it.
fn measure(address: SocketAddr, tool: &'static str, bytes: usize) -> Result<Others> {
    let mut other = Caller::connect(address, OTHER, tool)?;
    let start = Instant::now();
    match other.ask(bytes)? {
        Ok(state) => other.answer(bytes, &state, start),
        Err(status) => Ok(Others::Refused(status)),
    }
}

/// Begins calls and answers none. Returns how many of the calls the server accepts.
fn begin(address: SocketAddr, tool: &'static str, bytes: usize, calls: usize) -> Result<usize> {
    let mut abuser = Caller::connect(address, ABUSER, tool)?;
    let mut begun = 0;
    for _ in 0..calls {
        begun += usize::from(abuser.ask(bytes)?.is_ok());
    }
    Ok(begun)
}

/// A client of 2026-07-28 that calls one tool.
struct Caller {
    client: Client,
    tool: &'static str,
}

impl Caller {
    fn connect(address: SocketAddr, from: Ipv4Addr, tool: &'static str) -> Result<Self> {
        let mut client = Client::connect(address, from)?;
        client.headers = format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n");
        Ok(Self { client, tool })
    }

    /// Calls the tool. Returns the state of the waiting call, or the HTTP status if the server rejects the call.
    fn ask(&mut self, bytes: usize) -> Result<std::result::Result<String, u16>> {
        let reply = self.client.post(&payload::ask(self.tool, bytes))?;
        if reply.status != 200 {
            return Ok(Err(reply.status));
        }
        let state = reply.body.split_once(r#""requestState":""#).and_then(|(_, rest)| rest.split_once('"'));
        let (state, _) = state.ok_or("a call does not ask")?;
        Ok(Ok(state.to_owned()))
    }

    /// Answers the question of a call, which began at `start`.
    fn answer(&mut self, bytes: usize, state: &str, start: Instant) -> Result<Others> {
        let reply = self.client.post(&payload::answer(self.tool, bytes, state))?;
        Ok(match reply.status {
            200 if reply.body.contains(r#""error":"#) => Others::Lost,
            200 => Others::Waited(start.elapsed()),
            status => Others::RefusedAnswer(status),
        })
    }
}
