//! Calls over HTTP, on one connection.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{CALLS, Result, TEXT, callgrind};

/// Under callgrind a server starts slowly.
const STARTS_WITHIN: Duration = Duration::from_secs(30);

/// A request, and where its reply has the text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Exchange {
    Post,
    Get,
    Rpc,
}

impl Exchange {
    fn request(self) -> String {
        let (line, body) = match self {
            Self::Post => ("POST /echoes", json!({ "text": TEXT }).to_string()),
            Self::Get => ("GET /echoes/7", String::new()),
            Self::Rpc => {
                let params = json!({ "text": TEXT });
                let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "echoes.create", "params": params });
                ("POST /rpc", message.to_string())
            }
        };
        let head = format!("{line} HTTP/1.1\r\nHost: localhost\r\n");
        match body.len() {
            0 => format!("{head}\r\n"),
            length => {
                format!("{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}")
            }
        }
    }

    fn is_answered_by(self, reply: &Value) -> bool {
        match self {
            Self::Post => reply["text"] == TEXT,
            Self::Get => reply["text"] == "7",
            Self::Rpc => reply["result"]["text"] == TEXT,
        }
    }
}

/// `by` is `axum` or `contract`.
pub(crate) fn per_call(by: &str, exchange: Exchange) -> Result<f64> {
    callgrind::per_call(CALLS, |count| {
        callgrind::instructions(&format!("contract-{by}-{exchange:?}-{count}"), |wrapper, (name, value)| {
            let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
            let mut command = Command::new(wrapper[0]);
            command.args(&wrapper[1..]).arg(env!("CARGO_BIN_EXE_contract_rest")).args([&address, by]).env(name, value);
            let mut server = Server(command.stdin(Stdio::piped()).spawn()?);
            let connection = connect(&address)?;
            ask(connection, exchange, count)?;
            drop(server.0.stdin.take());
            let status = server.0.wait()?;
            if status.success() { Ok(()) } else { Err(format!("the server ended with {status}").into()) }
        })
    })
}

fn connect(address: &str) -> Result<TcpStream> {
    let begin = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(connection) => return Ok(connection),
            Err(error) if begin.elapsed() > STARTS_WITHIN => return Err(error.into()),
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn ask(connection: TcpStream, exchange: Exchange, count: u32) -> Result<()> {
    let request = exchange.request();
    let mut output = BufReader::new(connection.try_clone()?);
    let mut input = connection;
    let mut reply = Vec::new();
    for _ in 0..count {
        input.write_all(request.as_bytes())?;
        let mut length = 0;
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            if output.read_line(&mut line)? == 0 {
                return Err("the server closed the connection".into());
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        reply.resize(length, 0);
        output.read_exact(&mut reply)?;
    }
    let reply: Value = serde_json::from_slice(&reply)?;
    if exchange.is_answered_by(&reply) { Ok(()) } else { Err(format!("a wrong reply: {reply}").into()) }
}

/// A server that ends with the measurement.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
