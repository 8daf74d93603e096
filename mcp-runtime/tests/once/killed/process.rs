//! Processes that serve the same tools with the same store, for tests to kill.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Write as _},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    once::{
        wire::{request, seat, state},
        world::later,
    },
    support::directory::Directory,
    support::stores::Store,
};

/// The environment variables that configure a process.
pub(super) const STORE: &str = "MCP_TEST_STORE";
pub(super) const DIRECTORY: &str = "MCP_TEST_DIRECTORY";
pub(super) const NAME: &str = "MCP_TEST_NAME";

/// The lease of a round, which is long enough for a busy machine.
pub(super) const LEASE: Duration = Duration::from_millis(1500);
const PATIENCE: Duration = Duration::from_secs(30);

/// The files that the processes of one test share.
pub(super) struct Site {
    store: Store,
    directory: Directory,
}

/// Holds a process at a point until the value is released.
pub(super) struct Hold(PathBuf);

/// A server, and its client.
pub(super) struct Process {
    name: &'static str,
    directory: PathBuf,
    child: Child,
    input: Option<ChildStdin>,
    responses: Receiver<Value>,
    last_id: u64,
}

impl Site {
    /// Returns a site for each kind of store that several processes can share.
    pub(super) fn all() -> Vec<Self> {
        Store::of_processes().into_iter().map(Self::of).collect()
    }

    pub(super) fn of(store: Store) -> Self {
        Self { store, directory: Directory::new("killed") }
    }

    pub(super) fn start(&self, name: &'static str) -> Process {
        self.start_with(name, |_| {})
    }

    /// Starts a process with additional environment variables.
    pub(super) fn start_with(&self, name: &'static str, environment: impl FnOnce(&mut Command)) -> Process {
        let test = "once::killed::served::serves";
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "--nocapture", "--test-threads", "2", test]);
        command.env(STORE, self.store.address()).env(DIRECTORY, self.directory.path()).env(NAME, name);
        environment(&mut command);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, responses) = channel();
        thread::spawn(move || {
            // The test harness writes its own lines around the messages.
            for line in output.lines().map_while(Result::ok).filter(|line| line.starts_with('{')) {
                if send.send(serde_json::from_str(&line).unwrap()).is_err() {
                    break;
                }
            }
        });
        let directory = self.directory.path().to_owned();
        Process { name, directory, input: child.stdin.take(), child, responses, last_id: 0 }
    }

    /// Returns how many times something was recorded.
    pub(super) fn count(&self, what: &str) -> usize {
        self.notes().lines().filter(|line| line.split(' ').next() == Some(what)).count()
    }

    /// Returns how often the tool began, and how often `after` began and ended.
    pub(super) fn runs(&self) -> (usize, usize, usize) {
        let ends = self.notes().lines().filter(|&line| line == "after ends").count();
        (self.count("before"), self.count("after") - ends, ends)
    }

    pub(super) fn notes(&self) -> String {
        fs::read_to_string(self.directory.path().join("notes")).unwrap_or_default()
    }
}

impl Process {
    /// Makes the process wait at this point of a tool.
    fn hold(&self, place: &str) -> Hold {
        let path = self.directory.join(format!("hold-{}-at-{place}", self.name));
        fs::write(&path, "").unwrap();
        Hold(path)
    }

    /// Waits until the process has reached this point.
    fn reached(&self, place: &str) {
        let (note, patience) = (format!("{} is at {place}", self.name), Instant::now() + PATIENCE);
        let notes = || fs::read_to_string(self.directory.join("notes")).unwrap_or_default();
        while !notes().lines().any(|line| line == note) {
            assert!(Instant::now() < patience, "{} does not come to {place}:\n{}", self.name, notes());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends a request and returns its id.
    pub(super) fn send(&mut self, tool: &str, more: &Value) -> u64 {
        self.last_id += 1;
        let request = request(self.last_id, tool, &json!({ "elicitation": {} }), more);
        // It may have been killed.
        drop(writeln!(self.input.as_mut().unwrap(), "{request}"));
        self.last_id
    }

    /// Cancels the last request.
    pub(super) fn cancel(&mut self) {
        let params = json!({ "requestId": self.last_id });
        let notification = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        writeln!(self.input.as_mut().unwrap(), "{notification}").unwrap();
    }

    /// Returns the response to the last request, without its id.
    pub(super) fn reply(&mut self) -> Value {
        self.reply_within(PATIENCE).unwrap_or_else(|| panic!("{} does not answer", self.name))
    }

    /// Returns the response to the last request, without its id. Returns `None` if the response does not arrive in
    /// time.
    pub(super) fn reply_within(&mut self, patience: Duration) -> Option<Value> {
        let until = Instant::now() + patience;
        loop {
            let mut response = self.responses.recv_timeout(until.saturating_duration_since(Instant::now())).ok()?;
            if response["id"].take() == self.last_id {
                return Some(response);
            }
        }
    }

    pub(super) fn call(&mut self, tool: &str, more: &Value) -> Value {
        self.send(tool, more);
        self.reply()
    }

    pub(super) fn begin(&mut self, tool: &str) -> Value {
        state(&self.call(tool, &json!({})))
    }

    /// Begins a call and answers its first question. Returns the state of the second.
    pub(super) fn begin_and_sit(&mut self, tool: &str) -> Value {
        let first = self.begin(tool);
        state(&self.answer(tool, &first, &seat("12A")))
    }

    /// Sends an answer, and holds the process at this point of the tool.
    pub(super) fn answer_up_to(&mut self, place: &str, tool: &str, state: &Value, answers: &Value) -> Hold {
        let hold = self.hold(place);
        self.send_answer(tool, state, answers);
        self.reached(place);
        hold
    }

    pub(super) fn send_answer(&mut self, tool: &str, state: &Value, answers: &Value) {
        self.send(tool, &later(state, answers));
    }

    pub(super) fn answer(&mut self, tool: &str, state: &Value, answers: &Value) -> Value {
        self.call(tool, &later(state, answers))
    }

    /// Kills the process, as a crash of its machine would.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Closes the connection, so that the process exits.
    pub(super) fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }

    /// Stops the process until it is continued.
    pub(super) fn stall(&self) {
        self.signal("STOP");
    }

    pub(super) fn wake(&self) {
        self.signal("CONT");
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success());
    }
}

impl Hold {
    pub(super) fn let_go(self) {
        fs::remove_file(self.0).unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
