//! Two tools in four places: over MCP on standard input and output and over HTTP, in a terminal application, and on a
//! page. The questions and the results are the same.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, Command, Stdio},
};

use flights::{Confirm, PickFlight, Seat};
use mcp_runtime::testing::{Client, ScriptedCall};
use play_ttt::TakeCell;
use serde_json::{Value, json};

use crate::{
    protocol::{fake_model::FakeModel, page::User},
    support::example,
};

/// What a user has seen: the questions and the result.
#[derive(Debug, PartialEq)]
struct Seen {
    questions: Vec<String>,
    result: String,
}

/// A tool with its arguments, and what the user does.
struct Script {
    /// The program with the tool.
    program: &'static str,
    tool: &'static str,
    arguments: Value,
    /// The words for the terminal application, and the lines that the user types.
    words: &'static [&'static str],
    lines: &'static str,
    /// The answers over MCP.
    answers: fn(ScriptedCall<'_>) -> ScriptedCall<'_>,
    /// The answer to the form with this key, for the page.
    content: fn(&str, usize) -> Value,
}

const CELLS: [&str; 4] = ["1", "7", "6", "2"];

#[tokio::test]
async fn a_booking_is_the_same_everywhere() {
    let script = Script {
        program: "flights",
        tool: "book_flight",
        arguments: json!({ "destination": "HEL", "date": "2026-12-04" }),
        words: &["book", "HEL", "2026-12-04"],
        lines: "1\nyes\n",
        answers: |call| {
            let picked = call.accept(PickFlight { flight_id: "AL143-04".into(), seat: Seat::Window });
            picked.accept(Confirm { confirmed: true }).sampled("Have a good flight!")
        },
        content: |form, _| match form {
            "pick_flight" => json!({ "flight_id": "AL143-04", "seat": "window" }),
            _ => json!({ "confirmed": true }),
        },
    };
    let flight = "Alpenlinie, ARN to HEL on 2026-12-04, 06:40 to 08:40, 59 €";
    let expected = Seen {
        questions: vec!["Which flight to HEL?".to_owned(), format!("Book {flight}?")],
        result: format!("Booked {flight}, a window seat. The ticket is AL143-04/4."),
    };
    script.is_the_same_everywhere(None, &expected).await;
}

#[tokio::test]
async fn a_game_is_the_same_everywhere() {
    let script = Script {
        program: "play_ttt",
        tool: "play_ttt",
        arguments: json!({ "user_plays": "X" }),
        words: &["play", "X"],
        lines: "1\n7\n6\n2\n",
        answers: |call| CELLS.iter().fold(call, |call, cell| call.accept(TakeCell { cell: (*cell).into() })),
        content: |_, number| json!({ "cell": CELLS[number] }),
    };
    let model = FakeModel::start();
    let expected = script.over_stdio(Some(&model)).await;
    assert_eq!(expected.questions.len(), CELLS.len(), "{expected:?}");
    assert!(expected.questions[1].starts_with("You are X. The model took cell 5."), "{expected:?}");
    assert_eq!(expected.result, "It is a draw.");
    script.is_the_same_everywhere(Some(&model), &expected).await;
}

impl Script {
    async fn is_the_same_everywhere(&self, model: Option<&FakeModel>, expected: &Seen) {
        assert_eq!(self.over_stdio(model).await, *expected, "standard input and output");
        assert_eq!(self.over_http(model).await, *expected, "HTTP");
        assert_eq!(self.in_a_terminal(model), *expected, "a terminal application");
        assert_eq!(self.on_a_page(model), *expected, "a page");
    }

    async fn over_stdio(&self, model: Option<&FakeModel>) -> Seen {
        let mut program = command(self.program, model);
        program.arg("stdio");
        self.call(Client::process(program)).await
    }

    async fn over_http(&self, model: Option<&FakeModel>) -> Seen {
        let mut command = command(self.program, model);
        command.args(["http", "--addr", "127.0.0.1:0"]).stdin(Stdio::null()).stderr(Stdio::piped());
        let mut program = Program(command.spawn().unwrap());
        // After its address, nobody reads what the server says.
        let lines = BufReader::new(program.0.stderr.take().unwrap()).lines();
        let url =
            lines.map_while(Result::ok).find_map(|line| line.split_once("http://").map(|(_, url)| url.to_owned()));
        let url = format!("http://{}", url.expect("the server prints its address").trim());
        self.call(Client::url(&url)).await
    }

    async fn call(&self, mut client: Client) -> Seen {
        let called = (self.answers)(client.call(self.tool, &self.arguments)).await;
        let forms = called.asked().iter().filter(|question| question.schema().is_some());
        Seen { questions: forms.map(|form| form.message().to_owned()).collect(), result: first_words(&called.text()) }
    }

    fn in_a_terminal(&self, model: Option<&FakeModel>) -> Seen {
        let mut command = command("embedded", model);
        command.args(self.words).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut program = command.spawn().unwrap();
        program.stdin.take().unwrap().write_all(self.lines.as_bytes()).unwrap();
        let output = String::from_utf8(program.wait_with_output().unwrap().stdout).unwrap();
        // The program writes each message above what it asks the user to type.
        let prompts = ["Number:\n", "yes or no:\n", "Cell:\n"];
        let mut parts = vec![output.as_str()];
        for prompt in prompts {
            parts = parts.into_iter().flat_map(|part| part.split(prompt)).collect();
        }
        let result = first_words(parts.pop().unwrap());
        // Below the first message are the flights to choose from.
        let message = |part: &str| match part.split_once("\n  1  ") {
            Some((message, _)) => message.to_owned(),
            None => part.trim_end_matches('\n').to_owned(),
        };
        Seen { questions: parts.into_iter().map(message).collect(), result }
    }

    fn on_a_page(&self, model: Option<&FakeModel>) -> Seen {
        let data = std::env::temp_dir().join(format!("everywhere-{}-{}", self.tool, std::process::id()));
        let mut command = command("chat", model);
        command.env("CHAT_ADDR", "127.0.0.1:0").env("CHAT_DATA", &data).stdout(Stdio::piped());
        let mut program = Program(command.spawn().unwrap());
        let mut url = String::new();
        BufReader::new(program.0.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let address = url.trim().strip_prefix("http://").unwrap().parse().unwrap();
        let user = User::open(address).unwrap();

        let body = json!({ "tool": self.tool, "arguments": self.arguments });
        let (status, call) = user.post("/plugins/calls", &body.to_string()).unwrap();
        assert_eq!(status, 201, "{call}");
        let call: Value = serde_json::from_str(&call).unwrap();
        let id = call["id"].as_str().unwrap();
        let mut seen = Seen { questions: Vec::new(), result: String::new() };
        for event in user.events(&format!("/plugins/calls/{id}/events")).unwrap() {
            let event: Value = serde_json::from_str(&event).unwrap();
            if event["type"] == "elicit" {
                let question = &event["question"];
                let content = (self.content)(question["form"].as_str().unwrap(), seen.questions.len());
                seen.questions.push(question["message"].as_str().unwrap().to_owned());
                let answer = json!({ "seq": question["seq"], "action": "accept", "content": content });
                let (status, reply) = user.post(&format!("/plugins/calls/{id}/answers"), &answer.to_string()).unwrap();
                assert_eq!(status, 200, "{reply}");
            }
            if event["type"] == "finished" {
                let blocks = event["result"]["content"].as_array().unwrap();
                let texts: Vec<_> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
                seen.result = first_words(&texts.join("\n"));
            }
        }
        drop(program);
        std::fs::remove_dir_all(data).unwrap();
        seen
    }
}

/// Returns the command of a program that asks this model, or none.
fn command(program: &str, model: Option<&FakeModel>) -> Command {
    let mut command = Command::new(example(program));
    command.env_remove("MCP_MODEL");
    model.into_iter().for_each(|model| model.set(&mut command));
    command
}

/// Returns the first line of a result that is not data. Behind it, a model can have written a sentence.
fn first_words(text: &str) -> String {
    text.lines().find(|line| !line.starts_with('{')).unwrap_or_default().to_owned()
}

/// A program that is killed at the end.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
