//! Replays the conversations beside the examples against the examples themselves, as real processes.
//!
//! A transcript has one JSON object on a line: `{"start": "who talks"}` begins a conversation with a new process,
//! `{"send": …}` is a message of the client, `{"receive": …}` the next message of the server. To make a transcript,
//! write the first two kinds and run the test with `BLESS=1`: it writes what the server says.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[test]
fn hello() {
    replay("hello", "hello.jsonl");
}

#[test]
fn code_search() {
    replay("code_search", "code_search/transcript.jsonl");
}

#[test]
fn flights() {
    replay("flights", "flights/transcript.jsonl");
}

/// One line of a transcript.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Start(String),
    Send(Value),
    Receive(Value),
}

fn replay(example: &str, transcript: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(transcript);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<Line> = (1..)
        .zip(text.lines())
        .map(|(number, line)| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{}:{number}: {error}", path.display()))
        })
        .collect();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, bless(example, &lines)).unwrap();
    } else {
        compare(example, &lines, |number| format!("{}:{}", path.display(), number));
    }
}

/// Sends and receives line by line. What is received must be equal as JSON.
fn compare(example: &str, lines: &[Line], place: impl Fn(usize) -> String) {
    assert!(lines.iter().any(|line| matches!(line, Line::Receive(_))), "{} says nothing yet", place(1));
    let mut server = None;
    for (number, line) in (1..).zip(lines) {
        match line {
            Line::Start(_) => {
                end(server.take());
                server = Some(Server::start(example));
            }
            Line::Send(message) => running(&mut server).send(message),
            Line::Receive(expected) => {
                let received = running(&mut server).receive();
                assert!(
                    received.as_ref() == Ok(expected),
                    "{}\nexpected {expected}\nreceived {}\n(`BLESS=1 cargo test` writes down what is received)",
                    place(number),
                    received.unwrap_or_else(Value::String)
                );
            }
        }
    }
    end(server);
}

/// The transcript with what the server says now.
fn bless(example: &str, lines: &[Line]) -> String {
    let mut server = None;
    let mut blessed = Vec::new();
    for line in lines {
        match line {
            Line::Start(_) => {
                end(server.take());
                server = Some(Server::start(example));
                blessed.push(line.clone());
            }
            Line::Send(message) => {
                running(&mut server).send(message);
                blessed.push(line.clone());
                let Some(id) = message.get("id") else { continue };
                loop {
                    let received = running(&mut server).receive().unwrap();
                    let is_reply = received.get("id") == Some(id);
                    blessed.push(Line::Receive(received));
                    if is_reply {
                        break;
                    }
                }
            }
            Line::Receive(_) => {}
        }
    }
    end(server);
    blessed.iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect()
}

fn running(server: &mut Option<Server>) -> &mut Server {
    server.as_mut().expect("a transcript begins with `start`")
}

/// An example that runs, and speaks the protocol on its standard input and output.
struct Server {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Server {
    fn start(example: &str) -> Self {
        let mut process = Command::new(built(example))
            .env("CODE_SEARCH_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/code_search/fixture"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { process, input, output }
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    /// The next message, or why there is none.
    fn receive(&mut self) -> Result<Value, String> {
        let line = self.output.recv_timeout(PATIENCE).map_err(|error| format!("nothing: {error}"))?;
        serde_json::from_str(&line).map_err(|error| format!("no JSON: {error}: {line}"))
    }
}

/// Closes the input of a server, if there is one: it must end by itself, in order, without another word.
fn end(server: Option<Server>) {
    let Some(mut server) = server else { return };
    drop(server.input.take());
    match server.output.recv_timeout(PATIENCE) {
        Err(RecvTimeoutError::Disconnected) => {}
        Err(RecvTimeoutError::Timeout) => panic!("the server goes on after the end of its input"),
        Ok(line) => panic!("the server says more than the transcript has: {line}"),
    }
    assert!(server.process.wait().unwrap().success());
}

impl Drop for Server {
    fn drop(&mut self) {
        // After `end` it is gone already, and neither call does anything.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// How long a server may take for one message.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where Cargo puts the examples: beside the directory this test runs from.
fn built(example: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let program = profile.join("examples").join(example).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(is_fresh(&program), "`{}` is missing or old: run `cargo build --examples`", program.display());
    program
}

/// Whether the program is as new as its sources, which Cargo lists beside it. `cargo test` sees to that, `cargo test
/// --test transcripts` does not.
fn is_fresh(program: &Path) -> bool {
    let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    let Ok(built) = changed(program) else { return false };
    let Ok(list) = fs::read_to_string(program.with_extension("d")) else { return false };
    let sources = list.split_once(": ").map_or("", |(_, sources)| sources).replace("\\ ", "\0");
    let is_older = |source: &str| changed(Path::new(&source.replace('\0', " "))).is_ok_and(|time| time <= built);
    sources.split_whitespace().all(is_older)
}
