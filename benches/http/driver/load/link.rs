//! One connection of many.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net,
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

pub(crate) struct Link {
    stream: TcpStream,
    asking: Asking,
    /// Whether a call is asked something in between.
    asks: bool,
    /// What has not been written yet, from `written` on.
    sent: Vec<u8>,
    written: usize,
    read: Vec<u8>,
    call: Option<Call>,
}

/// A call that is open.
struct Call {
    id: u64,
    began: Instant,
    /// Whether the next reply is the last.
    is_answered: bool,
}

/// Where a call stands.
pub(crate) enum Step {
    Open,
    /// This long after it had begun.
    Answered(Duration),
}

impl Link {
    pub(crate) fn connect(server: &Server, workload: &Workload, registry: &Registry, token: Token) -> Result<Self> {
        let stream = net::TcpStream::connect(server.address)?;
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let mut stream = TcpStream::from_std(stream);
        registry.register(&mut stream, token, Interest::READABLE | Interest::WRITABLE)?;
        Ok(Self {
            stream,
            asking: Asking::new(workload, None),
            asks: matches!(workload.ask, Ask::Confirm(_)),
            sent: Vec::new(),
            written: 0,
            read: Vec::new(),
            call: None,
        })
    }

    /// Begins a call.
    pub(crate) fn ask(&mut self, requests: &mut Requests) -> Result<()> {
        let (mut body, began) = (Vec::new(), Instant::now());
        let id = requests.push_next(&mut body);
        self.call = Some(Call { id, began, is_answered: !self.asks });
        self.send(&body)
    }

    /// Writes and reads what can be written and read without waiting.
    pub(crate) fn go_on(&mut self, requests: &mut Requests) -> Result<Step> {
        self.write()?;
        self.read_all()?;
        let Some(call) = &mut self.call else { return Ok(Step::Open) };
        let Some(head) = Head::read(&self.read)? else { return Ok(Step::Open) };
        let Some((body, end)) = head.body(&self.read)? else { return Ok(Step::Open) };
        let reply = message(&body);
        if head.status != 200 || !reply.contains(&format!(r#""id":{}"#, call.id)) {
            return Err(format!("a wrong reply: {}, {reply}", head.status).into());
        }
        self.read.drain(..end);
        if call.is_answered {
            return Ok(Step::Answered(call.began.elapsed()));
        }
        let mut body_of_answer = Vec::new();
        call.id = requests.push_answer(reply, &mut body_of_answer).ok_or("no question")?;
        call.is_answered = true;
        self.send(&body_of_answer)?;
        Ok(Step::Open)
    }

    fn send(&mut self, body: &[u8]) -> Result<()> {
        self.sent.clear();
        self.written = 0;
        self.asking.push(body, &mut self.sent);
        self.write()
    }

    fn write(&mut self) -> Result<()> {
        while self.written < self.sent.len() {
            match self.stream.write(&self.sent[self.written..]) {
                Ok(written) => self.written += written,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn read_all(&mut self) -> Result<()> {
        let mut block = [0; 1 << 16];
        loop {
            match self.stream.read(&mut block) {
                Ok(0) => return Err("the server closed the connection".into()),
                Ok(read) => self.read.extend_from_slice(&block[..read]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
