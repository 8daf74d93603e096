//! Replays the conversations beside the examples against the examples themselves, as real processes.
//!
//! A transcript has one JSON object on a line: `{"start": "who talks"}` begins a conversation with a new process,
//! `{"send": …}` is a message of the client, `{"receive": …}` the next message of the server, `{"post": …}` what is
//! sent to the page the server named last. To make a transcript, write the other kinds than `receive` and run the test
//! with `BLESS=1`: it writes what the server says.
//!
//! What a server makes up anew each time ([`DRAWN`]) stands there by its name, as `"<requestState>"`, wherever it is.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::pet_store;

#[test]
fn hello() {
    replay("hello");
}

#[test]
fn signup() {
    replay("signup");
}

#[test]
fn code_search() {
    replay("code_search");
}

#[test]
fn docs_server() {
    replay("docs_server");
}

#[test]
fn dynamic() {
    replay("dynamic");
}

#[test]
fn flights() {
    replay("flights");
}

#[test]
fn petstore() {
    replay("petstore");
}

#[test]
fn pipelines() {
    replay("pipelines");
}

#[test]
fn play_ttt() {
    replay("play_ttt");
}

#[test]
fn settings() {
    replay("settings");
}

#[test]
fn transfer() {
    replay("transfer");
}

/// One line of a transcript.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Start(String),
    Send(Value),
    Receive(Value),
    Post(String),
}

fn replay(example: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example).join("transcript.jsonl");
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

/// Sends and receives line by line. Each received message must equal its line as JSON.
fn compare(example: &str, lines: &[Line], place: impl Fn(usize) -> String) {
    assert!(lines.iter().any(|line| matches!(line, Line::Receive(_))), "{} says nothing yet", place(1));
    let mut server = None;
    for (number, line) in (1..).zip(lines) {
        let Line::Receive(expected) = line else {
            say(example, &mut server, line);
            continue;
        };
        let received = running(&mut server).receive();
        assert!(
            received.as_ref() == Ok(expected),
            "{}\nexpected {expected}\nreceived {}\n(`BLESS=1 cargo test` writes down what is received)",
            place(number),
            received.unwrap_or_else(Value::String)
        );
    }
    end(server);
}

/// Returns the transcript with the current messages of the server.
fn bless(example: &str, lines: &[Line]) -> String {
    let mut server = None;
    let mut blessed = Vec::new();
    let said = lines.iter().filter(|line| !matches!(line, Line::Receive(_)));
    for (line, next) in said.clone().zip(said.skip(1).map(Some).chain([None])) {
        say(example, &mut server, line);
        blessed.push(line.clone());
        let server = running(&mut server);
        // As far as it goes: what the server asks comes before what it is told.
        while server.owes(next) {
            blessed.push(Line::Receive(server.receive().unwrap()));
        }
    }
    end(server);
    blessed.iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect()
}

/// Does what a line describes for the client.
fn say(example: &str, server: &mut Option<Server>, line: &Line) {
    match line {
        Line::Start(_) => {
            end(server.take());
            *server = Some(Server::start(example));
        }
        Line::Send(message) => running(server).send(message),
        Line::Post(body) => running(server).post(body),
        Line::Receive(_) => {}
    }
}

fn running(server: &mut Option<Server>) -> &mut Server {
    server.as_mut().expect("a transcript begins with `start`")
}

/// A running example, which is a server on its standard input and output.
struct Server {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// The requests that the server has not answered.
    open: Vec<Value>,
    /// The requests that the server has sent.
    asked: Vec<Value>,
    /// The last values that the server generated at random.
    drawn: HashMap<&'static str, String>,
}

/// Members whose values are not the same twice.
const DRAWN: [&str; 7] = ["requestState", "elicitationId", "url", "lastModified", "run_id", "created_at", "updated_at"];

impl Server {
    fn start(example: &str) -> Self {
        let mut command = Command::new(crate::support::example(example));
        if example == "petstore" {
            command.env("PETSTORE_URL", pet_store::start()).env("PETSTORE_API_KEY", pet_store::KEY);
        }
        let mut process = command
            .env("CODE_SEARCH_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/code_search/fixture"))
            .env("PIPELINES_DATA", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pipelines/data"))
            .env("DOCS_ROOT", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/docs_server/docs"))
            .env("SHOP_CODE", "spring")
            .env("SHOP_PRICES", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/settings/prices.csv"))
            .env("TOOLS_FILE", concat!(env!("CARGO_MANIFEST_DIR"), "/examples/dynamic/tools.json"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { process, input, output, open: Vec::new(), asked: Vec::new(), drawn: HashMap::new() }
    }

    fn send(&mut self, message: &Value) {
        if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
            self.open.push(id.clone());
        }
        let mut message = message.clone();
        each_drawn(&mut message, &mut |name, value| {
            if *value == placeholder(name) {
                value.clone_from(self.drawn.get(name).unwrap_or_else(|| panic!("there is no {value} yet")));
            }
        });
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    /// The next message, or why there is none.
    fn receive(&mut self) -> Result<Value, String> {
        let line = self.output.recv_timeout(PATIENCE).map_err(|error| format!("nothing: {error}"))?;
        let mut message: Value = serde_json::from_str(&line).map_err(|error| format!("no JSON: {error}: {line}"))?;
        each_drawn(&mut message, &mut |name, value| {
            self.drawn.insert(name, std::mem::replace(value, placeholder(name)));
        });
        match (message.get("id"), message.get("method")) {
            (Some(id), Some(_)) => self.asked.push(id.clone()),
            (Some(id), None) => self.open.retain(|open| open != id),
            _ => {}
        }
        Ok(message)
    }

    /// Sends a form to the page that was named last.
    fn post(&self, body: &str) {
        let url = self.drawn["url"].strip_prefix("http://").unwrap();
        let (host, path) = url.split_at(url.find('/').unwrap());
        let mut page = TcpStream::connect(host).unwrap();
        let length = body.len();
        write!(page, "POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        let mut response = String::new();
        page.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    }

    /// Whether it still has something to say before the client does `next`.
    fn owes(&self, next: Option<&Line>) -> bool {
        let waits = match next {
            Some(Line::Post(_)) => self.drawn.contains_key("url"),
            Some(Line::Send(response)) if response.get("method").is_none() => self.asked.contains(&response["id"]),
            _ => false,
        };
        !self.open.is_empty() && !waits
    }
}

fn placeholder(name: &str) -> String {
    format!("<{name}>")
}

/// Does something with every member that is drawn.
fn each_drawn(value: &mut Value, with: &mut impl FnMut(&'static str, &mut String)) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| each_drawn(value, with)),
        Value::Object(members) => {
            for (name, value) in members {
                match (DRAWN.iter().find(|drawn| *drawn == name), value) {
                    (Some(name), Value::String(text)) => with(name, text),
                    // The structured content of a result, once more as text.
                    (None, Value::String(text)) if name == "text" && text.contains("\"run_id\"") => {
                        if let Ok(mut content) = serde_json::from_str::<Value>(text) {
                            each_drawn(&mut content, with);
                            *text = content.to_string();
                        }
                    }
                    (_, value) => each_drawn(value, with),
                }
            }
        }
        _ => {}
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
const PATIENCE: Duration = Duration::from_secs(60);
