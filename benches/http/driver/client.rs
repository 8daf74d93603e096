//! A client with one connection and one request in flight.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
};

use crate::{
    Result,
    asking::Asking,
    contestant,
    response::{Head, message},
    server::Server,
    workload::{Ask, Era, Workload},
};

pub(crate) struct Client {
    stream: TcpStream,
    asking: Asking,
    read: Vec<u8>,
    sent: Vec<u8>,
}

impl Client {
    /// Connects. If the revision has sessions, opens a session.
    pub(crate) fn connect(address: SocketAddr, workload: &Workload) -> Result<Self> {
        let mut client = Self::in_session(address, workload, None)?;
        if workload.era == Era::Legacy {
            let session = client.open_session(workload)?;
            client.asking = Asking::new(workload, Some(&session));
        }
        Ok(client)
    }

    /// Connects, and sends its requests in this session, if there is one.
    pub(crate) fn in_session(address: SocketAddr, workload: &Workload, session: Option<&str>) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, asking: Asking::new(workload, session), read: Vec::new(), sent: Vec::new() })
    }

    /// Opens another connection in the same session.
    fn beside(&self) -> Result<Self> {
        let stream = TcpStream::connect(self.stream.peer_addr()?)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, asking: self.asking.clone(), read: Vec::new(), sent: Vec::new() })
    }

    /// Opens a new session and returns its id. Earlier sessions stay open.
    pub(crate) fn open_session(&mut self, workload: &Workload) -> Result<String> {
        let (outside, mut session) = (Asking::new(workload, None), None::<String>);
        for (line, _) in workload.opening() {
            let asking = match &session {
                None => &outside,
                Some(session) => &Asking::new(workload, Some(session)),
            };
            self.sent.clear();
            asking.push(line.trim_end().as_bytes(), &mut self.sent);
            self.stream.write_all(&self.sent)?;
            let (status, of_response, body) = self.response()?;
            if !matches!(status, 200 | 202) {
                return Err(format!("no session: {status}, {body}").into());
            }
            session = session.or(of_response);
        }
        Ok(session.ok_or("a session without an id")?)
    }

    /// Sends `count` requests, one after the other, and answers the questions of the server. Checks the first reply
    /// completely.
    pub(crate) fn ask(&mut self, workload: &Workload, count: u32) -> Result<()> {
        let (mut requests, mut body) = (workload.requests(), Vec::new());
        // In a session a question stands on the stream of its call, and is answered by a request beside it.
        let is_asked = workload.era == Era::Legacy && workload.questions() > 0;
        let mut answers = if is_asked { Some(self.beside()?) } else { None };
        for turn in 0..count {
            body.clear();
            let mut id = requests.push_next(&mut body);
            self.send(&body)?;
            for _ in 0..workload.questions() {
                let question = match &answers {
                    Some(_) => self.begun_with(r#""elicitation/create""#)?,
                    None => self.message()?,
                };
                body.clear();
                id = requests.push_answer(&question, &mut body).ok_or_else(|| format!("no question: {question}"))?;
                match &mut answers {
                    Some(answers) => drop(answers.post(&body)?),
                    None => self.send(&body)?,
                }
            }
            let reply = self.message()?;
            if turn == 0 {
                workload.check(&reply, id)?;
            }
        }
        Ok(())
    }

    /// Posts a message and returns the message that answers it.
    pub(crate) fn post(&mut self, body: &[u8]) -> Result<String> {
        self.send(body)?;
        self.message()
    }

    /// Returns the message of the next response.
    fn message(&mut self) -> Result<String> {
        match self.response()? {
            (200, _, body) => Ok(message(&body).to_owned()),
            (202, ..) => Ok(String::new()),
            (status, _, body) => Err(format!("{status}: {body}").into()),
        }
    }

    /// Posts a message.
    pub(crate) fn send(&mut self, body: &[u8]) -> Result<()> {
        self.sent.clear();
        self.asking.push(body, &mut self.sent);
        Ok(self.stream.write_all(&self.sent)?)
    }

    /// Reads an unfinished response until it contains `awaited`. Returns all of the response that was read.
    pub(crate) fn begun_with(&mut self, awaited: &str) -> Result<String> {
        loop {
            if let Some(head) = Head::read(&self.read)? {
                let begun = head.begun(&self.read)?;
                if begun.contains(awaited) {
                    return Ok(begun);
                }
            }
            self.read_more()?;
        }
    }

    /// Returns the status, the session and the body of the next response.
    pub(crate) fn response(&mut self) -> Result<(u16, Option<String>, String)> {
        loop {
            if let Some(head) = Head::read(&self.read)?
                && let Some((body, end)) = head.body(&self.read)?
            {
                let response = (head.status, head.session.map(str::to_owned), body.into_owned());
                self.read.drain(..end);
                return Ok(response);
            }
            self.read_more()?;
        }
    }

    fn read_more(&mut self) -> Result<()> {
        let length = self.read.len();
        self.read.resize(length + (1 << 16), 0);
        let more = self.stream.read(&mut self.read[length..])?;
        self.read.truncate(length + more);
        if more == 0 { Err("the server closed the connection".into()) } else { Ok(()) }
    }
}

/// Checks that every server gives correct replies. Otherwise, the figures would be meaningless.
pub(crate) fn check_replies() -> Result<()> {
    let confirm = Workload { ask: Ask::Confirm("confirm"), era: Era::Modern, tools: 2 };
    let mut workloads = vec![confirm, Workload { era: Era::Legacy, ..confirm }];
    for ask in [Ask::Echo(100), Ask::Echo(100_000), Ask::List] {
        for (era, tools) in [(Era::Modern, 1), (Era::Legacy, 1), (Era::Modern, 100), (Era::Legacy, 100)] {
            workloads.push(Workload { ask, era, tools });
        }
    }
    for contestant in &contestant::ALL {
        for workload in &workloads {
            let asked = || -> Result<()> {
                let server = Server::start(contestant.command(&[]), workload)?;
                Client::connect(server.address, workload)?.ask(workload, 2)?;
                server.end()
            };
            asked().map_err(|error| format!("{}, {workload}: {error}", contestant.name))?;
        }
    }
    Ok(())
}
