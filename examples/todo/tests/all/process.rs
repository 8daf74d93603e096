//! The program as its users start it.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
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
    assert!(std::net::TcpStream::connect(format!("127.0.0.1:{port}")).is_ok(), "{base}");
}

/// A process that ends with the test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
