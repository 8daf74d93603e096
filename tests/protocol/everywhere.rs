//! One tool in four places: over MCP on standard input and output and over HTTP, in a terminal application, and on a
//! page. The questions and the result are the same.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Command, Stdio},
};

use flights::{Confirm, PickFlight, Seat};
use mcp_runtime::testing::{Client, Outcome};
use serde_json::{Value, json};

use crate::{example::example, page::User};

/// What a user has seen: the questions, each above the answer, and the result.
#[derive(Debug, PartialEq)]
struct Seen {
    questions: Vec<String>,
    result: String,
}

const FLIGHT: &str = "AL143-04";

#[tokio::test]
async fn a_booking_is_the_same_everywhere() {
    let expected = Seen {
        questions: vec![
            "Which flight to HEL?".to_owned(),
            "Book Alpenlinie, ARN to HEL on 2026-12-04, 06:40 to 08:40, 59 €?".to_owned(),
        ],
        result: "Booked Alpenlinie, ARN to HEL on 2026-12-04, 06:40 to 08:40, 59 €, a window seat. The ticket is AL143-04/4."
            .to_owned(),
    };
    assert_eq!(over_stdio().await, expected, "standard input and output");
    assert_eq!(over_http().await, expected, "HTTP");
    assert_eq!(in_a_terminal(), expected, "a terminal application");
    assert_eq!(on_a_page(), expected, "a page");
}

async fn over_stdio() -> Seen {
    let mut program = Command::new(example("flights"));
    program.arg("stdio");
    book(Client::process(program)).await
}

async fn over_http() -> Seen {
    let mut command = Command::new(example("flights"));
    command.args(["http", "--addr", "127.0.0.1:0"]).stdin(Stdio::null()).stderr(Stdio::piped());
    let mut program = Program(command.spawn().unwrap());
    let lines = BufReader::new(program.0.stderr.take().unwrap()).lines();
    let url = lines.map_while(Result::ok).find_map(|line| Some(format!("http://{}", line.split_once("http://")?.1)));
    book(Client::url(url.expect("the server prints its address").trim())).await
}

async fn book(mut client: Client) -> Seen {
    let call =
        client.call("book_flight", arguments()).accept(PickFlight { flight_id: FLIGHT.into(), seat: Seat::Window });
    let booked: Outcome = call.accept(Confirm { confirmed: true }).sampled("Have a good flight!").await;
    let forms = booked.asked().iter().filter(|question| question.schema().is_some());
    Seen { questions: forms.map(|form| form.message().to_owned()).collect(), result: first_line(&booked.text()) }
}

fn in_a_terminal() -> Seen {
    let mut command = Command::new(example("embedded"));
    command.args(["book", "HEL", "2026-12-04"]).env_remove("MCP_MODEL").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut program = command.spawn().unwrap();
    program.stdin.take().unwrap().write_all(b"1\nyes\n").unwrap();
    let output = program.wait_with_output().unwrap();
    let lines: Vec<_> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    let questions = lines.iter().filter(|line| line.ends_with('?')).cloned().collect();
    Seen { questions, result: lines.last().unwrap().clone() }
}

fn on_a_page() -> Seen {
    let data = std::env::temp_dir().join(format!("everywhere-{}", std::process::id()));
    let mut command = Command::new(example("chat"));
    command.env("CHAT_ADDR", "127.0.0.1:0").env("CHAT_DATA", &data).env_remove("MCP_MODEL").stdout(Stdio::piped());
    let mut program = Program(command.spawn().unwrap());
    let mut url = String::new();
    BufReader::new(program.0.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let address = url.trim().strip_prefix("http://").unwrap().parse().unwrap();
    let user = User { address, cookie: "0123456789abcdef0123456789abcdef".into() };

    let body = json!({ "tool": "book_flight", "arguments": arguments() });
    let (status, call) = user.post("/plugins/calls", &body.to_string()).unwrap();
    assert_eq!(status, 201, "{call}");
    let call: Value = serde_json::from_str(&call).unwrap();
    let id = call["id"].as_str().unwrap();
    let mut seen = Seen { questions: Vec::new(), result: String::new() };
    for event in user.events(&format!("/plugins/calls/{id}/events")).unwrap() {
        let event: Value = serde_json::from_str(&event).unwrap();
        if event["type"] == "elicit" {
            let question = &event["question"];
            seen.questions.push(question["message"].as_str().unwrap().to_owned());
            let content = match question["form"].as_str() {
                Some("pick_flight") => json!({ "flight_id": FLIGHT, "seat": "window" }),
                _ => json!({ "confirmed": true }),
            };
            let answer = json!({ "seq": question["seq"], "action": "accept", "content": content });
            let (status, reply) = user.post(&format!("/plugins/calls/{id}/answers"), &answer.to_string()).unwrap();
            assert_eq!(status, 200, "{reply}");
        }
        if event["type"] == "finished" {
            seen.result = first_line(event["result"]["content"][0]["text"].as_str().unwrap());
        }
    }
    drop(program);
    std::fs::remove_dir_all(data).unwrap();
    seen
}

fn arguments() -> Value {
    json!({ "destination": "HEL", "date": "2026-12-04" })
}

/// Returns the result without the sentence that a model writes.
fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// A program that is killed at the end.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
