//! The command `http`, and the shutdown of a server after a signal.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command},
    time::{Duration, Instant},
};

use crate::cli::program::{ended, run, spawn_in};

pub(super) struct Server {
    process: Child,
    address: String,
}

impl Server {
    pub(super) fn start(arguments: &[&str]) -> Self {
        Self::start_with(&[], arguments, "/mcp")
    }

    /// Starts a server with these environment variables, whose endpoint has this path.
    fn start_with(variables: &[(&str, &str)], arguments: &[&str], path: &str) -> Self {
        let mut process = spawn_in(variables, &[&["http", "--addr", "127.0.0.1:0"], arguments].concat());
        // Warnings come first.
        let mut lines = BufReader::new(process.stderr.as_mut().unwrap()).lines().map(Result::unwrap);
        let address = lines.find_map(|line| {
            let place = line.strip_prefix("serving MCP clients at http://").map(str::to_owned)?;
            Some(place.strip_suffix(path).expect(&line).to_owned())
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

    /// Pings the endpoint and returns the status.
    fn ping(&self, path: &str, headers: &[(&str, &str)]) -> String {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let mut request = format!("POST {path} HTTP/1.1\r\nconnection: close\r\ncontent-type: application/json\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("content-length: {}\r\n\r\n{body}", body.len());
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        let mut response = String::new();
        connection.read_to_string(&mut response).unwrap();
        response.split(' ').nth(1).unwrap().to_owned()
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

const LOCAL: (&str, &str) = ("host", "localhost");
const PUBLIC: (&str, &str) = ("host", "mcp.example.com");
const OTHER: (&str, &str) = ("host", "other.example.com");
const APP: (&str, &str) = ("origin", "https://app.example.com");

#[test]
fn flags_and_variables_set_hosts_origins_and_path() {
    let by_default = Server::start(&[]);
    assert_eq!(by_default.ping("/mcp", &[LOCAL]), "200");
    assert_eq!(by_default.ping("/mcp/", &[LOCAL]), "200");
    assert_eq!(by_default.ping("/mcp", &[PUBLIC]), "403");
    assert_eq!(by_default.ping("/mcp", &[LOCAL, APP]), "403");

    let flags = ["--allow-host", "mcp.example.com", "--allow-host", "a.example,b.example:8443"];
    let flags = [&flags[..], &["--allow-origin", "https://app.example.com", "--path", "/api/mcp/"]].concat();
    let by_flags = Server::start_with(&[], &flags, "/api/mcp/");
    let variables = [
        ("MCP_ALLOW_HOST", "mcp.example.com, a.example,b.example:8443"),
        ("MCP_ALLOW_ORIGIN", APP.1),
        ("MCP_HTTP_PATH", "/api/mcp"),
    ];
    let by_variables = Server::start_with(&variables, &[], "/api/mcp");
    for server in [by_flags, by_variables] {
        for host in [PUBLIC, ("host", "a.example"), ("host", "b.example:8443")] {
            assert_eq!(server.ping("/api/mcp", &[host]), "200", "{host:?}");
        }
        for host in [LOCAL, OTHER, ("host", "b.example:1")] {
            assert_eq!(server.ping("/api/mcp", &[host]), "403", "{host:?}");
        }
        assert_eq!(server.ping("/api/mcp/", &[PUBLIC, APP]), "200");
        assert_eq!(server.ping("/api/mcp", &[PUBLIC, ("origin", "https://mcp.example.com")]), "403");
        assert_eq!(server.ping("/mcp", &[PUBLIC]), "404");
        assert_eq!(server.status("/health/ready"), "200");
    }
}

#[test]
fn a_flag_has_precedence_over_a_variable_and_an_empty_variable_is_not_set() {
    let variables = [("MCP_ALLOW_HOST", "other.example.com"), ("MCP_ALLOW_ORIGIN", ""), ("MCP_HTTP_PATH", "")];
    let server = Server::start_with(&variables, &["--allow-host", "mcp.example.com"], "/mcp");
    assert_eq!((server.ping("/mcp", &[PUBLIC]), server.ping("/mcp", &[OTHER])), ("200".into(), "403".into()));
    // Without an allowed host, the hosts of the program stay.
    let server = Server::start(&["--allow-origin", "https://app.example.com"]);
    assert_eq!((server.ping("/mcp", &[LOCAL, APP]), server.ping("/mcp", &[PUBLIC, APP])), ("200".into(), "403".into()));
}

#[test]
fn rejects_invalid_hosts_origins_and_paths() {
    for (flag, value, reason) in [
        ("--allow-host", "https://mcp.example.com", "`https://mcp.example.com` is not a host: write it like"),
        ("--allow-origin", "app.example.com", "`app.example.com` is not an origin: write it like"),
        ("--path", "mcp", "not a path; write it like `/mcp` or `/api/mcp`"),
        ("--path", "/mcp?a=b", "not a path; write it like `/mcp` or `/api/mcp`"),
        ("--path", "/{id}", "not a path; write it like `/mcp` or `/api/mcp`"),
        ("--path", "/health/", "the path of a health check; choose another path"),
    ] {
        let refused = run(["http", "--addr", "127.0.0.1:0", flag, value]);
        assert_eq!(refused.code, Some(2), "{flag} {value}");
        assert!(refused.errors.contains(reason), "{}", refused.errors);
    }
    let refused = spawn_in(&[("MCP_ALLOW_HOST", "a/b")], &["http", "--addr", "127.0.0.1:0"]);
    let refused = ended(refused.wait_with_output().unwrap());
    assert!(refused.errors.contains("`a/b` is not a host"), "{}", refused.errors);
}

#[test]
fn help_names_flags_and_variables() {
    let help = run(["http", "--help"]).output;
    for part in
        ["--allow-host <HOST>", "MCP_ALLOW_HOST", "--allow-origin <ORIGIN>", "MCP_ALLOW_ORIGIN", "--path <PATH>"]
    {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert!(help.contains("[env: MCP_HTTP_PATH]") && help.contains("[default: /mcp]"), "{help}");
}
