//! `http`: how a server ends when it is told to.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command},
    time::{Duration, Instant},
};

use crate::program::{run, spawn};

pub(super) struct Server {
    process: Child,
    address: String,
}

impl Server {
    pub(super) fn start(arguments: &[&str]) -> Self {
        let mut process = spawn(&[&["http", "--addr", "127.0.0.1:0"], arguments].concat());
        let mut line = String::new();
        BufReader::new(process.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("serving MCP clients at http://").and_then(|rest| rest.strip_suffix("/mcp\n"));
        Self { address: address.unwrap().to_owned(), process }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.process.id().to_string()]).status().unwrap().success());
    }

    fn status(&self, path: &str) -> String {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        write!(connection, "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address).unwrap();
        let mut response = String::new();
        connection.read_to_string(&mut response).unwrap();
        response.split(' ').nth(1).unwrap().to_owned()
    }

    /// How long it takes to end, which it must do in order.
    fn ends(mut self) -> Duration {
        let told = Instant::now();
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
        told.elapsed()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test that failed leaves nothing behind.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const LONG: Duration = Duration::from_secs(30);

#[test]
fn either_signal_ends_it_in_order() {
    for signal in ["-INT", "-TERM"] {
        let server = Server::start(&[]);
        assert_eq!(server.status("/health/ready"), "200");
        server.signal(signal);
        assert!(server.ends() < LONG);
    }
}

#[test]
fn it_serves_for_a_while_and_says_that_it_retires() {
    let server = Server::start(&["--retire", "60"]);
    server.signal("-TERM");
    while server.status("/health/ready") == "200" {}
    assert_eq!(server.status("/health/ready"), "503");
    assert_eq!(server.status("/health"), "200");
    server.signal("-TERM");
    assert!(server.ends() < LONG, "told twice, it waits no longer");

    let server = Server::start(&["--retire", "0.5"]);
    let told = Instant::now();
    server.signal("-TERM");
    server.ends();
    assert!((Duration::from_millis(500)..LONG).contains(&told.elapsed()));
}

#[test]
fn a_time_is_a_number_of_seconds() {
    for wrong in ["soon", "NaN", "1e99"] {
        let refused = run(["http", "--retire", wrong]);
        assert_eq!(refused.code, Some(2));
        assert!(refused.errors.contains("not a number of seconds; write it like `5` or `0.5`"), "{}", refused.errors);
    }
}
