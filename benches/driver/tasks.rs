//! Instructions of tasks, and of actions that are runs: their beginning, and the questions of the client for their
//! status.

use std::{thread::sleep, time::Duration};

use serde_json::{Value, json};

use crate::{
    Result, callgrind,
    contestant::{self, Contestant},
    conversation::Conversation,
    report::{Row, Unit},
    workload::{Ask, Era, Workload},
};

const RMCP: Contestant = Contestant::new("rmcp tasks", env!("CARGO_BIN_EXE_rmcp_tasks"));
/// How long the client waits before it asks for a task that ends at once. Servers can end tasks in another thread.
const PAUSE: Duration = Duration::from_millis(3);
/// The servers open no session, and have the same tools for each workload.
const SERVED: Workload = Workload { ask: Ask::List, era: Era::Modern, tools: 1 };

/// What is begun, and how the client asks for its status.
#[derive(Clone, Copy)]
enum Kind {
    Task,
    Run,
}

/// When the client asks.
#[derive(Clone, Copy)]
enum Asked {
    /// Once for each task, when it has ended.
    Once,
    /// Again and again for one task that works without end.
    Often,
}

pub(crate) fn measure() -> Result<Vec<Row>> {
    let ours = contestant::of_http_package("ours_tasks", "mcp-runtime tasks")?;
    let row = |name: &str, kind, asked, most| -> Result<Row> {
        let rmcp = match kind {
            Kind::Task => per_call(&RMCP, kind, asked)?,
            Kind::Run => f64::NAN,
        };
        Ok(Row::new(name, Unit::Count, [f64::NAN, rmcp, per_call(&ours, kind, asked)?]).at_most(most))
    };
    Ok(vec![
        row("task: its beginning, and a get of its result", Kind::Task, Asked::Once, 87_000.0)?,
        row("each get of a task that works", Kind::Task, Asked::Often, 19_300.0)?,
        row("run of an action: its beginning, and a status with its output", Kind::Run, Asked::Once, 130_400.0)?,
        row("each status of a run that works", Kind::Run, Asked::Often, 39_900.0)?,
    ])
}

fn per_call(contestant: &Contestant, kind: Kind, asked: Asked) -> Result<f64> {
    callgrind::per_call(1000, |count| {
        let program = contestant.name.replace(' ', "-");
        let profile = format!("{program}-{}-{}-{count}", kind.tool(asked), asked.last_status());
        callgrind::instructions(&profile, |wrapper, (name, value)| {
            let mut command = contestant.command(wrapper, &SERVED);
            command.env(name, value);
            let mut conversation = Conversation::start(command, &SERVED)?;
            let mut id = begin(&mut conversation, kind, asked)?;
            for _ in 0..count {
                match asked {
                    Asked::Once => {
                        id = begin(&mut conversation, kind, asked)?;
                        sleep(PAUSE);
                        while status(&mut conversation, kind, &id)? == "working" {
                            sleep(PAUSE);
                        }
                    }
                    Asked::Often => drop(status(&mut conversation, kind, &id)?),
                }
            }
            let (last, expected) = (status(&mut conversation, kind, &id)?, asked.last_status());
            if last != expected {
                return Err(format!("the last task is {last}, and not {expected}").into());
            }
            conversation.end()
        })
    })
}

/// Begins a task or a run, and returns its id.
fn begin(conversation: &mut Conversation, kind: Kind, asked: Asked) -> Result<String> {
    let text = "x".repeat(100);
    let arguments = match (kind, asked) {
        (Kind::Task, Asked::Once) => json!({ "text": text }),
        (Kind::Task, Asked::Often) => json!({}),
        (Kind::Run, Asked::Once) => json!({ "action": "echo", "params": { "text": text } }),
        (Kind::Run, Asked::Often) => json!({ "action": "hold" }),
    };
    let begun = request(conversation, "tools/call", json!({ "name": kind.tool(asked), "arguments": arguments }))?;
    let begun = match kind {
        Kind::Task => &begun["taskId"],
        Kind::Run => &begun["structuredContent"]["result"]["run_id"],
    };
    Ok(begun.as_str().ok_or("no task")?.to_owned())
}

/// Asks for the status.
fn status(conversation: &mut Conversation, kind: Kind, id: &str) -> Result<Value> {
    let mut shown = match kind {
        Kind::Task => request(conversation, "tasks/get", json!({ "taskId": id }))?,
        Kind::Run => {
            let arguments = json!({ "action": "status", "params": { "run_id": id } });
            let mut result = request(conversation, "tools/call", json!({ "name": "jobs", "arguments": arguments }))?;
            result["structuredContent"]["result"].take()
        }
    };
    Ok(shown["status"].take())
}

/// Sends a request, and returns its result.
fn request(conversation: &mut Conversation, method: &str, mut params: Value) -> Result<Value> {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "bench-client", "version": "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } },
    });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    conversation.send(format!("{message}\n").as_bytes())?;
    let mut reply: Value = serde_json::from_str(&conversation.reply()?)?;
    if reply["result"].is_null() { Err(format!("an error: {reply}").into()) } else { Ok(reply["result"].take()) }
}

impl Asked {
    fn last_status(self) -> &'static str {
        match self {
            Self::Once => "completed",
            Self::Often => "working",
        }
    }
}

impl Kind {
    /// The tool that is called.
    fn tool(self, asked: Asked) -> &'static str {
        match (self, asked) {
            (Self::Task, Asked::Once) => "echo_later",
            (Self::Task, Asked::Often) => "hold",
            (Self::Run, _) => "jobs",
        }
    }
}
