//! What the command shows at the terminal: the build, the server, and with `--no-page` the calls.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;

use super::target::{
    Build, BuildStatus, DevTarget, Diagnostic, ProcessReport, ProcessStatus, Reported, ServerStatus, TargetStatus,
};
use crate::{base::clock, wire::protocol::text::cut};

/// The longest value in a line, in characters.
const LONGEST: usize = 200;

/// The terminal of the user.
pub(crate) struct Terminal {
    /// Writes a line to standard error.
    pub(crate) tell: fn(&str),
    /// Whether it shows colours.
    pub(crate) is_coloured: bool,
}

impl Terminal {
    pub(crate) fn line(&self, line: &str) {
        (self.tell)(line);
    }

    /// Shows a message of the compiler. `coloured` is empty if the message was shown already.
    pub(crate) fn diagnostic(&self, diagnostic: &Diagnostic, coloured: &str) {
        let text = if self.is_coloured { coloured } else { &diagnostic.rendered };
        if !coloured.is_empty() {
            self.line(text.trim_end());
        }
    }
}

/// Shows what happens to the build and to the server, and what the server writes to standard error.
pub(crate) async fn follow(terminal: &Terminal, target: Arc<dyn DevTarget>) {
    let (mut status, mut reports) = (target.status(), target.reports());
    let mut shown = TargetStatus::default();
    status.mark_changed();
    loop {
        tokio::select! {
            // A process writes its last words before its status changes.
            biased;
            report = reports.recv() => match report {
                Ok(report) => report_line(&report).iter().for_each(|line| terminal.line(line)),
                Err(RecvError::Lagged(lost)) => terminal.line(&format!("({lost} reports are not shown)")),
                Err(RecvError::Closed) => return,
            },
            changed = status.changed() => {
                if changed.is_err() {
                    return;
                }
                let now = status.borrow_and_update().clone();
                status_lines(&shown, &now).iter().for_each(|line| terminal.line(line));
                shown = now;
            }
        }
    }
}

/// Returns what has changed, one line each.
fn status_lines(before: &TargetStatus, now: &TargetStatus) -> Vec<String> {
    let (build, server) = (&now.build, &now.server);
    let is_same_build = (before.build.number, before.build.status) == (build.number, build.status);
    let state = |server: &ServerStatus| (server.status, server.retry_at, server.reason.clone());
    let mut lines = Vec::new();
    lines.extend(build_line(build).filter(|_| !is_same_build));
    lines.extend(server_line(server).filter(|_| state(&before.server) != state(server)));
    if before.server.clock != server.clock {
        let ahead = Duration::from_secs(server.clock);
        lines.push(format!("dev: the clock of the server is {ahead:?} ahead"));
    }
    lines
}

fn build_line(build: &Build) -> Option<String> {
    let took = || Duration::from_millis(build.took.unwrap_or_default());
    match build.status {
        BuildStatus::Built => Some(format!("dev: built in {:.1?}", took())),
        BuildStatus::Failed => {
            let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.level == "error").count();
            let plural = if errors == 1 { "" } else { "s" };
            Some(format!("dev: the build has failed with {errors} error{plural}; change the sources to build again"))
        }
        BuildStatus::Building if build.number > 0 => Some("dev: building".to_owned()),
        BuildStatus::Building | BuildStatus::None => None,
    }
}

fn server_line(server: &ServerStatus) -> Option<String> {
    match server.status {
        ProcessStatus::Running => Some("dev: the server runs".to_owned()),
        ProcessStatus::Crashed => {
            let reason = server.reason.as_deref().unwrap_or("the server has ended");
            let retry = server.retry_at.map(|at| Duration::from_millis(at.saturating_sub(clock::now())));
            Some(match retry {
                Some(pause) => format!("dev: {reason}; it is started again in {pause:.1?}"),
                None => format!("dev: {reason}"),
            })
        }
        ProcessStatus::Stopped | ProcessStatus::Starting => None,
    }
}

/// Returns the line of a report. What runs is shown with the call that it belongs to, see [`line_of`].
fn report_line(report: &ProcessReport) -> Option<String> {
    match &report.what {
        Reported::Output { line } => Some(line.clone()),
        Reported::Started { .. } | Reported::Ran { .. } | Reported::Span { .. } | Reported::Metric { .. } => None,
    }
}

/// Returns the line that shows an event of a call, a `CallEvent` of `dev-api.d.ts`. Returns `None` for spans and metrics,
/// of which each round has many, and for events that this version does not know.
pub(crate) fn line_of(event: &Value) -> Option<String> {
    let text = |name: &str| event[name].as_str().unwrap_or_default();
    let value = |name: &str| one_line(&event[name]);
    let question = |question: &Value| {
        let shown = ["message", "prompt", "kind"].iter().find(|name| question[**name].is_string());
        one_line(&question[*shown.unwrap_or(&"kind")])
    };
    let mut line = match event["type"].as_str()? {
        "started" => {
            let request = &event["request"];
            let item = if request["name"].is_string() { &request["name"] } else { &request["uri"] };
            let arguments = &request["arguments"];
            let arguments = if arguments.is_null() { String::new() } else { format!(" {}", one_line(arguments)) };
            format!("{} `{}`{arguments}", one_line(&request["kind"]), one_line(item))
        }
        "round" => {
            let again = if event["again"] == true { ", sent again" } else { "" };
            format!("sent to the {} instance{again}", text("instance"))
        }
        "log" => format!("log {}: {}", text("level"), value("data")),
        "progress" => {
            let total = if event["total"].is_null() { String::new() } else { format!(" of {}", value("total")) };
            let message = if event["message"].is_null() { String::new() } else { format!(": {}", value("message")) };
            format!("progress {}{total}{message}", value("progress"))
        }
        "asked" => format!("asks `{}`: {}", one_line(&event["question"]["key"]), question(&event["question"])),
        "answered" => format!("answered `{}` by {}: {}", value("key"), text("by"), value("answer")),
        "changed" => format!(
            "the question `{}` has changed: {} is now {}",
            value("key"),
            question(&event["before"]),
            question(&event["after"])
        ),
        "round_ended" => {
            let state = event["state"]["length"].as_u64().map(|length| format!(", state of {length} bytes"));
            format!("answered in {:.0} ms{}", event["took"].as_f64().unwrap_or_default(), state.unwrap_or_default())
        }
        "fault" => format!("fault {}: {}", text("fault"), value("told")),
        "ran" => match event["times"].as_u64() {
            Some(times @ 2..) => format!("{} ran {times} times", value("name")),
            _ => format!("{} ran", value("name")),
        },
        "finding" => format!("{}: {}", if event["ok"] == true { "ok" } else { "wrong" }, value("told")),
        "finished" => {
            let result = &event["result"];
            let is_error = if result["isError"] == true { " with an error" } else { "" };
            format!("finished{is_error}: {}", one_line(content(result)))
        }
        "failed" => {
            let code = event["code"].as_i64().map(|code| format!(" ({code})")).unwrap_or_default();
            format!("failed{code}: {}", value("told"))
        }
        "cancelled" => "cancelled".to_owned(),
        _ => return None,
    };
    let mut begin = String::new();
    if let Some(round) = event["round"].as_u64() {
        // Writing to a string cannot fail.
        let _ = write!(begin, "round {round}: ");
    }
    line.insert_str(0, &begin);
    Some(line)
}

/// Returns the part of a result that a reader wants to see.
fn content(result: &Value) -> &Value {
    match &result["structuredContent"] {
        Value::Null => match &result["content"][0]["text"] {
            Value::Null => result,
            text => text,
        },
        structured => structured,
    }
}

/// Returns a value on one line, without control characters. It comes from a server, and could change the terminal.
fn one_line(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let words: Vec<_> = text.split_whitespace().collect();
    let plain: String = words.join(" ").chars().filter(|char| !char.is_control()).collect();
    cut(&plain, LONGEST).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(event: &Value) -> String {
        let mut all = json!({ "id": 1, "at": 0, "round": 2 });
        all.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        line_of(&all).unwrap_or_default()
    }

    #[test]
    fn each_event_is_one_line() {
        let request = json!({ "kind": "tool", "name": "send", "arguments": { "to": "ada" } });
        let lines = [
            (json!({ "type": "started", "request": request }), "tool `send` {\"to\":\"ada\"}"),
            (json!({ "type": "started", "request": { "kind": "resource", "uri": "docs://a" } }), "resource `docs://a`"),
            (
                json!({ "type": "round", "instance": "second", "again": true }),
                "sent to the second instance, sent again",
            ),
            (json!({ "type": "log", "level": "info", "data": { "a": 1 } }), "log info: {\"a\":1}"),
            (json!({ "type": "progress", "progress": 1, "total": 4, "message": "a" }), "progress 1 of 4: a"),
            (json!({ "type": "progress", "progress": 0.5 }), "progress 0.5"),
            (
                json!({ "type": "asked", "question": { "kind": "form", "key": "confirm", "message": "Send?\n Now?" } }),
                "asks `confirm`: Send? Now?",
            ),
            (json!({ "type": "asked", "question": { "kind": "roots", "key": "roots" } }), "asks `roots`: roots"),
            (
                json!({ "type": "answered", "key": "confirm", "by": "hand", "answer": { "action": "decline" } }),
                "answered `confirm` by hand: {\"action\":\"decline\"}",
            ),
            (
                json!({ "type": "changed", "key": "k", "before": { "message": "A?" }, "after": { "message": "B?" } }),
                "the question `k` has changed: A? is now B?",
            ),
            (
                json!({ "type": "round_ended", "took": 12.4, "state": { "length": 558 } }),
                "answered in 12 ms, state of 558 bytes",
            ),
            (json!({ "type": "fault", "fault": "kill", "told": "killed" }), "fault kill: killed"),
            (json!({ "type": "ran", "name": "`after`", "times": 1 }), "`after` ran"),
            (json!({ "type": "ran", "name": "`before`", "times": 2 }), "`before` ran 2 times"),
            (json!({ "type": "finding", "ok": false, "told": "it ran twice" }), "wrong: it ran twice"),
            (
                json!({ "type": "finished", "result": { "content": [{ "type": "text", "text": "sent" }] } }),
                "finished: sent",
            ),
            (
                json!({ "type": "finished", "result": { "isError": true, "structuredContent": [1] } }),
                "finished with an error: [1]",
            ),
            (json!({ "type": "failed", "code": -32603, "told": "no" }), "failed (-32603): no"),
            (json!({ "type": "cancelled" }), "cancelled"),
        ];
        for (event, expected) in lines {
            assert_eq!(line(&event), format!("round 2: {expected}"), "{event}");
        }
        for quiet in ["span", "metric", "new in a later version"] {
            assert_eq!(line(&json!({ "type": quiet })), "");
        }
    }

    #[test]
    fn a_server_cannot_change_the_terminal() {
        let shown = line(&json!({ "type": "failed", "told": format!("\u{1b}[2Jred\r\nline{}", "x".repeat(500)) }));
        assert!(shown.starts_with("round 2: failed: [2Jred line") && shown.ends_with('…'), "{shown}");
        assert!(shown.len() < 300);
    }

    #[test]
    fn only_changes_are_shown() {
        let mut now = TargetStatus::default();
        now.build.status = BuildStatus::Building;
        now.build.number = 1;
        let lines = |before: &TargetStatus, now: &TargetStatus| status_lines(before, now).join("\n");
        assert_eq!(lines(&TargetStatus::default(), &now), "dev: building");
        assert_eq!(lines(&now, &now), "");
        let before = now.clone();
        (now.build.status, now.build.took) = (BuildStatus::Built, Some(1250));
        now.server.status = ProcessStatus::Running;
        assert_eq!(lines(&before, &now), "dev: built in 1.2s\ndev: the server runs");
        let before = now.clone();
        now.server.status = ProcessStatus::Crashed;
        now.server.reason = Some("no sugar".to_owned());
        now.server.clock = 3600;
        assert_eq!(lines(&before, &now), "dev: no sugar\ndev: the clock of the server is 3600s ahead");
    }
}
