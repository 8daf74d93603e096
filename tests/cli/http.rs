//! The command `http`, and the shutdown of a server after a signal.

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
        // Warnings come first.
        let mut lines = BufReader::new(process.stderr.as_mut().unwrap()).lines().map(Result::unwrap);
        let address = lines.find_map(|line| {
            let address =
                line.strip_prefix("serving MCP clients at http://").and_then(|rest| rest.strip_suffix("/mcp"));
            address.map(str::to_owned)
        });
        drop(lines);
        Self { address: address.unwrap(), process }
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

    /// Returns how long it takes to shut down gracefully.
    fn ends(mut self) -> Duration {
        let told = Instant::now();
        assert_eq!(self.process.wait().unwrap().code(), Some(0));
        told.elapsed()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Cleans up after a failed test.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const LONG: Duration = Duration::from_secs(30);

#[test]
fn both_signals_shut_down_gracefully() {
    for signal in ["-INT", "-TERM"] {
        let server = Server::start(&[]);
        assert_eq!(server.status("/health/ready"), "200");
        server.signal(signal);
        assert!(server.ends() < LONG);
    }
}

#[test]
fn retires_before_it_shuts_down() {
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
fn rejects_an_invalid_number_of_seconds() {
    for wrong in ["soon", "NaN", "1e99"] {
        let refused = run(["http", "--retire", wrong]);
        assert_eq!(refused.code, Some(2));
        assert!(refused.errors.contains("not a number of seconds; write it like `5` or `0.5`"), "{}", refused.errors);
    }
}
