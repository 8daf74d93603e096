//! One of the connections to a server.

use std::{
    collections::VecDeque,
    io::{ErrorKind, Read as _, Write as _},
    mem, net,
    time::{Duration, Instant},
};

use mio::{Interest, Registry, Token, net::TcpStream};

use crate::{
    Result,
    asking::Asking,
    response::{Head, message},
    server::Server,
    workload::{Ask, Requests, Workload},
};

/// The number of bytes of one read.
const BLOCK: usize = 1 << 14;

pub(crate) struct Link {
    stream: TcpStream,
    asking: Asking,
    /// The number of calls that are sent at a time. The replies have the same order as the calls.
    at_a_time: usize,
    /// Whether the server asks a question during each call.
    asks: bool,
    /// Bytes to send. The bytes from `written` on are not sent yet.
    sent: Vec<u8>,
    written: usize,
    /// The answers to the questions. They are sent when the server has asked its question in all calls.
    answers: Vec<u8>,
    /// Received bytes. The bytes from `seen` on are not parsed yet.
    read: Vec<u8>,
    seen: usize,
    calls: VecDeque<Call>,
    /// The body of the next request.
    body: Vec<u8>,
}

/// An open call.
struct Call {
    id: u64,
    began: Instant,
    /// Whether the next reply of the call is the last one.
    is_answered: bool,
}

impl Link {
    pub(crate) fn connect(
        server: &Server,
        workload: &Workload,
        at_a_time: usize,
        registry: &Registry,
        token: Token,
    ) -> Result<Self> {
        let stream = net::TcpStream::connect(server.address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        Ok(Self {
            stream,
            asking: Asking::new(workload, None),
            at_a_time,
            asks: matches!(workload.ask, Ask::Confirm(_)),
            sent: Vec::new(),
            written: 0,
            answers: Vec::new(),
            read: Vec::new(),
            seen: 0,
            calls: VecDeque::new(),
            body: Vec::new(),
        })
    }

    /// Returns the number of calls in flight.
    pub(crate) fn open(&self) -> usize {
        self.calls.len()
    }

    /// Begins `at_a_time` calls.
    pub(crate) fn ask(&mut self, requests: &mut Requests) -> Result<()> {
        let began = Instant::now();
        for _ in 0..self.at_a_time {
            self.body.clear();
            let id = requests.push_next(&mut self.body);
            self.calls.push_back(Call { id, began, is_answered: !self.asks });
            self.asking.push(&self.body, &mut self.sent);
        }
        self.write()
    }

    /// Writes and reads as much as possible without waiting. Appends the duration of each call that has ended to
    /// `times`. Returns whether all calls have ended.
    pub(crate) fn go_on(&mut self, requests: &mut Requests, times: &mut Vec<Duration>) -> Result<bool> {
        if self.calls.is_empty() {
            return Ok(false);
        }
        self.read_all()?;
        while self.take_reply(requests, times)? {}
        self.read.drain(..mem::take(&mut self.seen));
        if self.calls.iter().all(|call| call.is_answered) {
            self.sent.append(&mut self.answers);
        }
        self.write()?;
        Ok(self.calls.is_empty())
    }

    /// Handles the next reply. Returns whether there was a complete reply.
    fn take_reply(&mut self, requests: &mut Requests, times: &mut Vec<Duration>) -> Result<bool> {
        let read = &self.read[self.seen..];
        let Some(head) = Head::read(read)? else { return Ok(false) };
        let Some((body, end)) = head.body(read)? else { return Ok(false) };
        let reply = message(&body);
        let mut call = self.calls.pop_front().ok_or("a reply to nothing")?;
        if head.status != 200 || !reply.contains(&format!(r#""id":{}"#, call.id)) {
            return Err(format!("a wrong reply: {}, {reply}", head.status).into());
        }
        if call.is_answered {
            times.push(call.began.elapsed());
        } else {
            self.body.clear();
            call.id = requests.push_answer(reply, &mut self.body).ok_or("no question")?;
            call.is_answered = true;
            self.asking.push(&self.body, &mut self.answers);
            self.calls.push_back(call);
        }
        self.seen += end;
        Ok(true)
    }

    fn write(&mut self) -> Result<()> {
        while self.written < self.sent.len() {
            match self.stream.write(&self.sent[self.written..]) {
                Ok(written) => self.written += written,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        self.sent.clear();
        self.written = 0;
        Ok(())
    }

    /// Reads all available bytes. A block that is not full is the last one, because a later event reports further
    /// bytes.
    fn read_all(&mut self) -> Result<()> {
        loop {
            let end = self.read.len();
            self.read.resize(end + BLOCK, 0);
            let read = self.stream.read(&mut self.read[end..]);
            self.read.truncate(end + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => return Err("the server closed the connection".into()),
                Ok(BLOCK) => {}
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
