//! Subscriptions to files that change, in both eras of the protocol.

use std::{
    fs,
    io::{BufRead, BufReader, Lines, Write},
    path::PathBuf,
    process::{self, Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

/// The program, and the folder that it serves.
struct Served {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    folder: PathBuf,
}

impl Served {
    fn start(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mcp_docs_{}_{name}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("start.md"), "# Start").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_docs_server"));
        let mut child = command.env("DOCS_ROOT", &folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output).lines(), folder }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn receive(&mut self) -> Value {
        serde_json::from_str(&self.output.next().expect("a message").unwrap()).unwrap()
    }

    /// Changes a file, then adds another one. Returns the notice after each.
    fn change(&mut self) -> [Value; 2] {
        fs::write(self.folder.join("start.md"), "# Begin").unwrap();
        let updated = self.receive();
        fs::write(self.folder.join("late.md"), "# Late").unwrap();
        loop {
            let listed = self.receive();
            // The first write is two events, and on a busy machine two notices.
            if listed["method"] != "notifications/resources/updated" {
                break [updated, listed];
            }
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_session_gets_notices() {
    let mut served = Served::start("session");
    let info = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    served.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
    let capabilities = served.receive()["result"]["capabilities"].take();
    assert_eq!(capabilities["resources"], json!({ "subscribe": true, "listChanged": true }));
    served.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let params = json!({ "uri": "docs://files/start.md" });
    served.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": params }));
    assert_eq!(served.receive()["result"], json!({}));
    let [updated, listed] = served.change();
    assert_eq!(updated["method"], "notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], "docs://files/start.md");
    assert_eq!(listed["method"], "notifications/resources/list_changed");
}

#[test]
fn a_client_that_listens_gets_notices() {
    let mut served = Served::start("listen");
    let params = json!({
        "notifications": { "resourcesListChanged": true, "resourceSubscriptions": ["docs://files/start.md"] },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    });
    served.send(&json!({ "jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params }));
    assert_eq!(served.receive()["method"], "notifications/subscriptions/acknowledged");
    for notice in served.change() {
        assert_eq!(notice["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");
    }
}
