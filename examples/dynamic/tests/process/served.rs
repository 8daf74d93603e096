//! A program that is served, and the folder with its tools.

use std::{
    fs,
    io::{BufRead, BufReader, Lines, Write},
    path::{Path, PathBuf},
    process::{self, Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use serde_json::{Value, json};

/// A folder with a file of tools, which is removed at the end.
pub(crate) struct ToolsFolder(PathBuf);

impl ToolsFolder {
    pub(crate) fn new(tools: &Value) -> Self {
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = Self(std::env::temp_dir().join(format!("mcp_dynamic_{}_{number}", process::id())));
        fs::create_dir_all(&folder.0).unwrap();
        folder.write(tools);
        folder
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("tools.json")
    }

    pub(crate) fn write(&self, tools: &Value) {
        self.write_text(&tools.to_string());
    }

    /// Replaces the file, as editors do.
    pub(crate) fn write_text(&self, text: &str) {
        let new = self.0.join("tools.json.new");
        fs::write(&new, text).unwrap();
        fs::rename(new, self.file()).unwrap();
    }
}

impl Drop for ToolsFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The program on a port of this machine.
pub(crate) struct ServedOverHttp {
    child: Child,
    pub(crate) url: String,
}

impl ServedOverHttp {
    pub(crate) fn start(file: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynamic"));
        command.args(["http", "--addr", "127.0.0.1:0"]).env("TOOLS_FILE", file).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = log.next().expect("a line with the URL").unwrap();
        let url = &line[line.find("http://").expect("a URL")..];
        let url = url.split_whitespace().next().unwrap().to_owned();
        // The program blocks if its log is not read.
        thread::spawn(move || log.for_each(drop));
        Self { child, url }
    }
}

impl Drop for ServedOverHttp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program with a client in a session.
pub(crate) struct Served {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    log: Lines<BufReader<ChildStderr>>,
    last_id: u64,
}

impl Served {
    pub(crate) fn start(file: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynamic"));
        command.env("TOOLS_FILE", file).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (output, log) = (BufReader::new(output).lines(), BufReader::new(child.stderr.take().unwrap()).lines());
        let mut served = Self { child, input, output, log, last_id: 0 };
        let client = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        assert_eq!(served.request("initialize", &hello)["capabilities"]["tools"]["listChanged"], true);
        served.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        served
    }

    /// Returns the names of the tools.
    pub(crate) fn tools(&mut self) -> Vec<String> {
        let listed = self.request("tools/list", &json!({}));
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.request("tools/call", &json!({ "name": name, "arguments": arguments }))
    }

    /// Waits for the next message, which must be a notification.
    pub(crate) fn notice(&mut self) -> Value {
        let message = self.receive();
        assert!(message.get("id").is_none(), "{message}");
        message
    }

    /// Waits for the next line on standard error.
    pub(crate) fn log_line(&mut self) -> String {
        self.log.next().expect("a line on standard error").unwrap()
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params }));
        let mut answer = self.receive();
        assert_eq!(answer["id"], self.last_id, "{answer}");
        answer["result"].take()
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn receive(&mut self) -> Value {
        serde_json::from_str(&self.output.next().expect("a message").unwrap()).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
