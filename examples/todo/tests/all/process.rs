//! The program as its users start it.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use mcp_runtime::{Revision, testing::Client};
use serde_json::{Value, json};

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_todo"));
    command.args(arguments).args(["--db", ":memory:"]);
    command
}

#[tokio::test]
async fn serves_tools_to_a_client_that_starts_it() {
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::process(program(&["stdio"])).revision(revision);
        let created = client.call("todos_create", json!({ "title": "milk" })).await;
        assert_eq!(serde_json::from_str::<Value>(&created.text()).unwrap()["id"], 1, "{revision}");
        let missing = client.call("todos_get", json!({ "id": 2 })).await;
        assert!(missing.is_error());
        assert_eq!(missing.text(), "there is no todo 2");
    }
}

#[test]
fn prints_the_urls_of_its_doors() {
    let mut child = Killed(program(&["http", "--addr", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap());
    let lines = BufReader::new(child.0.stderr.take().unwrap()).lines().take(7);
    let urls: Vec<_> = lines.map(|line| line.unwrap().rsplit(' ').next().unwrap().to_owned()).collect();
    let base = urls[0].strip_suffix("/mcp").unwrap();
    let paths: Vec<_> = urls.iter().map(|url| url.strip_prefix(base).unwrap()).collect();
    assert_eq!(paths, ["/mcp", "/rpc", "/todos", "/users", "/openapi.json", "/openrpc.json", "/docs"]);
    let port = base.rsplit(':').next().unwrap();
    assert!(TcpStream::connect(format!("127.0.0.1:{port}")).is_ok(), "{base}");
}

#[test]
fn ends_on_ctrl_c_while_a_client_holds_a_stream_open() {
    let mut child = Killed(program(&["http", "--addr", "127.0.0.1:0"]).stderr(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(child.0.stderr.take().unwrap()).lines();
    let url = lines.next().unwrap().unwrap().rsplit(' ').next().unwrap().to_owned();
    let address = url.strip_prefix("http://").unwrap().strip_suffix("/mcp").unwrap();
    let initialize = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        },
    });
    let opened = send(address, "POST", "application/json, text/event-stream", &initialize.to_string());
    let session = header(opened, "mcp-session-id");
    let stream = send(address, "GET", &format!("text/event-stream\r\nmcp-session-id: {session}"), "");
    let mut stream = BufReader::new(stream);
    let mut status = String::new();
    stream.read_line(&mut status).unwrap();
    assert!(status.contains("200"), "{status}");

    let interrupted = Command::new("kill").args(["-INT", &child.0.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let deadline = Instant::now() + Duration::from_secs(20);
    while child.0.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "the program runs, because a client holds a stream open");
        sleep(Duration::from_millis(20));
    }
}

/// Sends a request on a connection of its own, which is returned.
fn send(address: &str, verb: &str, accept: &str, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!("{verb} /mcp HTTP/1.1\r\nhost: {address}\r\naccept: {accept}\r\n");
    let head = head + &format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    stream
}

/// Reads the head of a response, and returns the value of a header.
fn header(stream: TcpStream, name: &str) -> String {
    let lines = BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
    let header =
        lines.filter_map(|line| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())));
    header.into_iter().find(|(found, _)| found == name).unwrap().1
}

/// A process that ends with the test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
