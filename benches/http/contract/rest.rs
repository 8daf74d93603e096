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

/// `by` is `axum` or `rest`.
pub(crate) fn per_call(by: &str) -> Result<f64> {
    callgrind::per_call(CALLS, |count| {
        callgrind::instructions(&format!("contract-{by}-{count}"), |wrapper, (name, value)| {
            let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
            let mut command = Command::new(wrapper[0]);
            command.args(&wrapper[1..]).arg(env!("CARGO_BIN_EXE_contract_rest")).args([&address, by]).env(name, value);
            let mut server = Server(command.stdin(Stdio::piped()).spawn()?);
            let connection = connect(&address)?;
            ask(connection, count)?;
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

fn ask(connection: TcpStream, count: u32) -> Result<()> {
    let body = json!({ "text": TEXT }).to_string();
    let request = format!(
        "POST /echoes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
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
    let echo: Value = serde_json::from_slice(&reply)?;
    if echo["text"] == TEXT { Ok(()) } else { Err(format!("a wrong reply: {echo}").into()) }
}

/// A server that ends with the measurement.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
