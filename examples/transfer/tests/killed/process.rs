//! The server as a process, its files, and a client of 2026-07-28 that keeps only the last state.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::{self, Receiver},
    },
    thread,
    time::Duration,
};

use rusqlite::Connection;
use serde_json::{Value, json};

/// How long a server may take for one message: longer than a lease.
const PATIENCE: Duration = Duration::from_secs(40);

/// The bank and the ledger of one test, and the key of its processes.
pub(crate) struct Files {
    directory: PathBuf,
    key: &'static str,
}

/// Killed on drop, so that nothing is shut down gracefully.
pub(crate) struct Process {
    process: Child,
    input: ChildStdin,
    output: Receiver<Value>,
    /// Messages that came while another one was awaited.
    unread: Vec<Value>,
    last_id: u32,
    /// Which call it is, for requests that have no state.
    key: Option<&'static str>,
}

/// A state, and the answers that go with it.
pub(crate) type Answer<'a> = Option<(&'a str, &'a Value)>;

impl Files {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("mcp-transfer-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let directory = env::temp_dir().join(name);
        fs::create_dir(&directory).unwrap();
        Self { directory, key: "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=" }
    }

    pub(crate) fn start(&self) -> Process {
        let mut process = Command::new(env!("CARGO_BIN_EXE_transfer"))
            .env("TRANSFER_DIR", &self.directory)
            .env("MCP_STATE_KEY", self.key)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            // The last line of a killed process may be incomplete.
            let messages = lines.map_while(Result::ok).map_while(|line| serde_json::from_str(&line).ok());
            messages.map(|message| sender.send(message)).take_while(Result::is_ok).count()
        });
        Process { process, input, output, unread: Vec::new(), last_id: 0, key: None }
    }

    pub(crate) fn bookings(&self) -> i64 {
        self.open("bank.db").query_one("SELECT count(*) FROM bookings", [], |row| row.get(0)).unwrap()
    }

    /// For the next round of a test.
    pub(crate) fn pay_back(&self) {
        self.open("bank.db").execute("UPDATE accounts SET balance = 250000 WHERE name = 'household'", []).unwrap();
    }

    /// Locks the file against other writers until the value is dropped.
    pub(crate) fn lock(&self, name: &str) -> Connection {
        let connection = self.open(name);
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        connection
    }

    /// Returns whether the calls are stored in a file, and not in the store that `TRANSFER_STORE` names for these tests.
    pub(crate) fn has_ledger() -> bool {
        env::var_os("TRANSFER_STORE").is_none()
    }

    pub(crate) fn remove_ledger(&self) {
        fs::remove_file(self.directory.join("ledger.db")).unwrap();
        for beside in ["ledger.db-wal", "ledger.db-shm"] {
            // After an orderly end they are gone already.
            drop(fs::remove_file(self.directory.join(beside)));
        }
    }

    pub(crate) fn change_key(&mut self) {
        self.key = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";
    }

    fn open(&self, name: &str) -> Connection {
        let connection = Connection::open(self.directory.join(name)).unwrap();
        connection.busy_timeout(PATIENCE).unwrap();
        connection
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.directory));
    }
}

impl Process {
    pub(crate) fn with_key(mut self, key: &'static str) -> Self {
        self.key = Some(key);
        self
    }

    /// The state that comes with this question.
    pub(crate) fn asks(&mut self, answer: Answer<'_>, question: &str) -> String {
        let reply = self.reply_to(answer);
        assert!(reply["result"]["inputRequests"][question].is_object(), "no `{question}`: {reply}");
        reply["result"]["requestState"].as_str().unwrap().to_owned()
    }

    /// The text of the result.
    pub(crate) fn sends(&mut self, state: &str, answers: &Value) -> String {
        let reply = self.reply_to(Some((state, answers)));
        reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no result: {reply}")).to_owned()
    }

    /// Returns the message of the error.
    pub(crate) fn fails(&mut self, state: &str, answers: &Value) -> String {
        let reply = self.reply_to(Some((state, answers)));
        reply["error"]["message"].as_str().unwrap_or_else(|| panic!("no error: {reply}")).to_owned()
    }

    /// Returns the reply, retrying as long as the server asks for it.
    pub(crate) fn reply_to(&mut self, answer: Answer<'_>) -> Value {
        loop {
            let id = self.send(answer);
            let reply = self.reply(id);
            let Some(milliseconds) = reply["error"]["data"]["retryAfterMs"].as_u64() else { return reply };
            thread::sleep(Duration::from_millis(milliseconds));
        }
    }

    pub(crate) fn send(&mut self, answer: Answer<'_>) -> u32 {
        let mut params =
            json!({ "name": "transfer", "arguments": { "from": "household", "to": "landlord", "amount": "1200.00" } });
        if let Some((state, answers)) = answer {
            params["requestState"] = state.into();
            params["inputResponses"] = answers.clone();
        }
        self.request("tools/call", params)
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        self.reply(id)
    }

    pub(crate) fn cancel(&mut self, id: u32) {
        let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } });
        writeln!(self.input, "{cancelled}").unwrap();
    }

    #[cfg(target_os = "linux")]
    pub(crate) fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Stops it, and waits until each of its threads stands: the signal comes to one after the other.
    #[cfg(target_os = "linux")]
    pub(crate) fn stop(&self) {
        self.signal("-STOP");
        let stands = |stat: String| stat.rsplit(") ").next().is_some_and(|state| state.starts_with('T'));
        let all_stand = || {
            let mut threads = fs::read_dir(format!("/proc/{}/task", self.process.id())).unwrap();
            threads.all(|thread| stands(fs::read_to_string(thread.unwrap().path().join("stat")).unwrap()))
        };
        while !all_stand() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until it answers.
    pub(crate) fn is_up(&mut self) {
        let id = self.request("server/discover", json!({}));
        self.reply(id);
    }

    pub(crate) fn reply(&mut self, id: u32) -> Value {
        self.wait_for(|message| message["id"] == id)
    }

    /// Waits for this message to the user's log.
    pub(crate) fn says(&mut self, data: &str) {
        self.wait_for(|message| message["params"]["data"] == data);
    }

    fn wait_for(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.unread.iter().position(&is_it) {
            return self.unread.remove(index);
        }
        loop {
            let message = self.output.recv_timeout(PATIENCE).unwrap();
            if is_it(&message) {
                return message;
            }
            self.unread.push(message);
        }
    }

    fn request(&mut self, method: &str, mut params: Value) -> u32 {
        self.last_id += 1;
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
            "io.modelcontextprotocol/logLevel": "info",
        });
        if let (Some(key), None) = (self.key, params.get("requestState")) {
            params["_meta"]["idempotency-key"] = key.into();
        }
        let request = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        writeln!(self.input, "{request}").unwrap();
        self.last_id
    }
}

impl Drop for Process {
    /// `SIGKILL`, where there are signals.
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}
