//! The requests that a benchmark sends to a server.

use std::fmt;

use serde_json::{Value, json};

use crate::Result;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Era {
    /// The revision 2025-11-25, in which short requests follow a handshake.
    Legacy,
    /// The revision 2026-07-28, in which every request describes the client and its capabilities instead of a
    /// handshake.
    Modern,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ask {
    /// `tools/call` of `echo` with a text of this many bytes.
    Echo(usize),
    /// `tools/list`.
    List,
    /// `tools/list` of a caller who lacks the scope of a tool.
    FilteredList,
    /// `resources/list` of 1,000 resources on one page. The text selects the resources of the server.
    Resources(&'static str),
    /// `completion/complete` of the argument with this name, which has 100 candidates. Ten of them match.
    Complete(&'static str),
    /// `tools/call` of the tool with this name, which asks the user before it returns 100 B. The workload includes the
    /// answer.
    Confirm(&'static str),
    /// `tools/call` of a tool whose nested arguments have 40 values. These are texts, numbers, booleans and enums.
    Order,
    /// `tools/call` of a tool that waits for this many milliseconds.
    Nap(u64),
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Workload {
    pub(crate) ask: Ask,
    pub(crate) era: Era,
    /// How many tools the server has.
    pub(crate) tools: u32,
}

impl Workload {
    /// Returns the command-line argument that selects the tools of the server.
    pub(crate) fn served(&self) -> String {
        match self.ask {
            Ask::Confirm(_) | Ask::Nap(_) => "asking".to_owned(),
            Ask::Order => "order".to_owned(),
            Ask::FilteredList => "filtered".to_owned(),
            Ask::Resources(served) => served.to_owned(),
            Ask::Complete(_) => "completion".to_owned(),
            Ask::Echo(_) | Ask::List => self.tools.to_string(),
        }
    }

    /// How many questions each call asks, one after the other.
    pub(crate) fn questions(&self) -> u32 {
        match self.ask {
            Ask::Confirm("confirm_often") => QUESTIONS,
            Ask::Confirm(_) => 1,
            _ => 0,
        }
    }

    /// Returns the messages before the first request, each with whether the server replies to it.
    pub(crate) fn opening(&self) -> Vec<(String, bool)> {
        let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"bench-client","version":"1.0.0"}}}"#;
        let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        match self.era {
            Era::Legacy => vec![(format!("{hello}\n"), true), (format!("{ready}\n"), false)],
            Era::Modern => Vec::new(),
        }
    }

    /// Returns the requests of this workload. Each request has a different id.
    pub(crate) fn requests(&self) -> Requests {
        let (method, mut params) = match self.ask {
            Ask::Echo(size) => ("tools/call", json!({ "name": "echo", "arguments": { "text": text(size) } })),
            Ask::Confirm(tool) => ("tools/call", json!({ "name": tool, "arguments": { "text": text(100) } })),
            Ask::Order => ("tools/call", json!({ "name": "order", "arguments": order() })),
            Ask::Nap(milliseconds) => {
                ("tools/call", json!({ "name": "nap", "arguments": { "milliseconds": milliseconds } }))
            }
            Ask::List | Ask::FilteredList => ("tools/list", json!({})),
            Ask::Resources(_) => ("resources/list", json!({})),
            Ask::Complete(name) => {
                let reference = json!({ "type": "ref/prompt", "name": "explain" });
                let argument = json!({ "name": name, "value": "language-4" });
                ("completion/complete", json!({ "ref": reference, "argument": argument }))
            }
        };
        if self.era == Era::Modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": { "name": "bench-client", "version": "1.0.0" },
                "io.modelcontextprotocol/clientCapabilities": {
                    "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} },
                },
            });
        }
        Requests { era: self.era, next: 1, rest: format!(r#","method":"{method}","params":{params}}}{}"#, '\n') }
    }

    /// Checks that `reply` is the complete and correct reply to the request with this id.
    pub(crate) fn check(&self, reply: &str, id: u64) -> Result<()> {
        let reply: Value = serde_json::from_str(reply)?;
        let result = &reply["result"];
        let right = match self.ask {
            Ask::Echo(size) => result["content"] == json!([{ "type": "text", "text": text(size) }]),
            Ask::Confirm(_) => result["content"] == json!([{ "type": "text", "text": text(100) }]),
            Ask::Order => result["content"] == json!([{ "type": "text", "text": "10 pieces" }]),
            Ask::Nap(_) => result["content"] == json!([{ "type": "text", "text": "rested" }]),
            Ask::List | Ask::FilteredList => has(&result["tools"], self.tools as usize),
            Ask::Resources(_) => has(&result["resources"], 1_000),
            Ask::Complete(_) => has(&result["completion"]["values"], 10),
        };
        let right = right && reply["id"] == id && (self.era == Era::Legacy || result["resultType"] == "complete");
        if right { Ok(()) } else { Err(format!("a wrong reply: {reply}").into()) }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ask {
            Ask::Echo(size) => write!(f, "echo-{size}")?,
            Ask::Confirm(tool) => f.write_str(tool)?,
            Ask::Nap(milliseconds) => write!(f, "nap-{milliseconds}")?,
            Ask::Order => f.write_str("order")?,
            Ask::List => f.write_str("list")?,
            Ask::FilteredList => f.write_str("filtered-list")?,
            Ask::Resources(served) => f.write_str(served)?,
            Ask::Complete(name) => write!(f, "complete-{name}")?,
        }
        let era = if self.era == Era::Modern { "modern" } else { "legacy" };
        write!(f, "-{era}-{}", self.tools)
    }
}

/// Returns whether the value is a list with this many entries.
fn has(list: &Value, count: usize) -> bool {
    list.as_array().is_some_and(|list| list.len() == count)
}

/// How many questions `confirm_often` asks. A call may last 32 rounds.
const QUESTIONS: u32 = 31;

pub(crate) struct Requests {
    era: Era,
    next: u64,
    rest: String,
}

impl Requests {
    /// Appends the next request with its line end, and returns the id of the request.
    pub(crate) fn push_next(&mut self, to: &mut Vec<u8>) -> u64 {
        let id = self.next;
        self.next += 1;
        to.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        to.extend_from_slice(id.to_string().as_bytes());
        to.extend_from_slice(self.rest.as_bytes());
        id
    }

    /// If `message` is a question, appends the answer. Returns the id of the request that will get the result of the
    /// call. In a session, the answer is a response. Since 2026-07-28, the answer is the request again.
    pub(crate) fn push_answer(&mut self, message: &str, to: &mut Vec<u8>) -> Option<u64> {
        if self.era == Era::Legacy {
            let (question, _) = message.split_once(r#","method":"elicitation/create""#)?;
            let (_, id) = question.rsplit_once(r#""id":"#)?;
            to.extend_from_slice(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{YES}}}{}"#, '\n').as_bytes());
            return Some(self.next - 1);
        }
        let (_, state) = message.split_once(r#""requestState":""#)?;
        let (state, _) = state.split_once('"')?;
        let (_, key) = message.split_once(r#""inputRequests":{""#)?;
        let (key, _) = key.split_once('"')?;
        let id = self.push_next(to);
        to.truncate(to.len() - "}}\n".len());
        to.extend_from_slice(format!(r#","inputResponses":{{"{key}":{YES}}}"#).as_bytes());
        to.extend_from_slice(format!(r#","requestState":"{state}"}}}}{}"#, '\n').as_bytes());
        Some(id)
    }
}

/// The user's answer.
const YES: &str = r#"{"action":"accept","content":{"sure":true}}"#;

/// Returns arguments with 40 values. 7 values describe a customer, 32 values describe four items, and one value
/// remains.
fn order() -> Value {
    let item = |name: &str, pieces: u32, size: &str| {
        json!({
            "name": name, "number": "A-1234", "pieces": pieces, "price": 19.5,
            "size": size, "colour": "dark_blue", "gift": false, "note": "Leave it at the door.",
        })
    };
    let address = json!({ "street": "1 Long Street", "town": "Lisbon", "code": "1100-042", "country": "portugal" });
    json!({
        "customer": { "name": "Ada Lovelace", "email": "ada@example.com", "kind": "private", "address": address },
        "items": [item("shirt", 1, "small"), item("coat", 2, "medium"), item("hat", 3, "large"), item("scarf", 4, "small")],
        "delivery": "express",
    })
}

/// Returns a text of this size. A large text has lines and quotes, as files do. A text of 100 bytes has neither.
fn text(size: usize) -> String {
    let lines = "A model asks for a file and gets it back as text, word by word and line by line, until all has been seen.\n\
        It \"reads\" what it needs and asks again.\n";
    lines.chars().cycle().take(size).collect()
}
