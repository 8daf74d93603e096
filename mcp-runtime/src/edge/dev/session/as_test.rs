//! A test that does what a call on the page has done.

use std::{fmt::Write as _, process::Stdio};

use serde_json::Value;
use tokio::{io::AsyncWriteExt as _, process::Command};

use super::{
    api::{
        call::{AnyAnswer, CallRequest, DevCall, DevQuestion},
        event::CallEventKind,
        fault::DevFault,
    },
    client::profile,
    commands::answers,
};
use crate::{edge::dev::target::SetupCapabilities, wire::protocol::revision::Revision};

/// The width of a chain of methods that stays on one line, as `rustfmt` has it.
const CHAIN: usize = 60;

/// Returns the path and the source of a test for a call that has ended.
pub(crate) fn write(program: &str, call: &DevCall) -> (String, String) {
    let faults = call.events.iter().flatten().filter_map(|event| match &event.kind {
        CallEventKind::Fault { fault, .. } => Some(*fault),
        _ => None,
    });
    let faults: Vec<_> = faults.collect();
    let of_kit = faults.iter().find_map(|fault| Some((*fault, equal(*fault)?)));
    let name = test_name(call, of_kit.map(|(_, name)| name));
    let replies = replies(call);
    let uses_reply = replies.iter().any(|reply| reply.contains("Reply::"));
    let mut imports = vec!["Client"];
    imports.extend(of_kit.map(|_| "Fault"));
    imports.extend(uses_reply.then_some("Reply"));
    let imports = if let [one] = imports[..] { one.to_owned() } else { format!("{{{}}}", imports.join(", ")) };
    let kind = match call.request {
        CallRequest::Tool { .. } => "called",
        CallRequest::Prompt { .. } => "requested",
        CallRequest::Resource { .. } => "read",
    };
    let mut source = format!(
        "//! `{}`, as it was {kind} on the development page. Needs the feature `testing` of `mcp-runtime`.\n\n\
         use std::process::Command;\n\nuse mcp_runtime::testing::{imports};\nuse serde_json::json;\n\n\
         #[tokio::test]\nasync fn {name}() {{\n",
        call.request.name().replace('`', "'")
    );
    for fault in faults.iter().filter(|fault| equal(**fault).is_none() && !is_in_script(**fault)) {
        _ = writeln!(source, "    // The fault {fault:?} of the page has no equal in a test.");
    }
    let restarts = of_kit.is_some_and(|(fault, _)| fault == DevFault::Kill);
    source.push_str(&client(program, call, of_kit.map(|(_, name)| name), restarts.then_some(&*name)));
    source.push_str(&outcome(call, &replies));
    source.push_str(&asserts(call));
    source.push_str("}\n");
    (format!("tests/{name}.rs"), source)
}

/// Formats a source with `rustfmt`, if it is installed.
pub(crate) async fn formatted(source: String) -> String {
    let run = async {
        let mut rustfmt = Command::new("rustfmt");
        let rustfmt = rustfmt.args(["--edition", "2024"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = rustfmt.stderr(Stdio::null()).kill_on_drop(true).spawn().ok()?;
        child.stdin.take()?.write_all(source.as_bytes()).await.ok()?;
        let output = child.wait_with_output().await.ok()?;
        String::from_utf8(output.stdout).ok().filter(|text| output.status.success() && !text.is_empty())
    };
    run.await.unwrap_or(source)
}

/// Returns the fault of the test kit that is equal to a fault of the page.
fn equal(fault: DevFault) -> Option<&'static str> {
    Some(match fault {
        DevFault::LoseReply => "RepliesLost",
        DevFault::SendTwice => "RequestsDoubled",
        DevFault::CloseConnection => "Disconnects",
        DevFault::AnswerSpent => "SpentStates",
        DevFault::Kill => "Restarts",
        _ => return None,
    })
}

/// Whether the script or the client of the test does what the fault does.
fn is_in_script(fault: DevFault) -> bool {
    matches!(
        fault,
        DevFault::Cancel
            | DevFault::AnswerWrongly
            | DevFault::OtherRevision
            | DevFault::WithoutElicitation
            | DevFault::WithoutSampling
    )
}

fn test_name(call: &DevCall, fault: Option<&str>) -> String {
    let mut name = String::new();
    for char in call.request.name().chars() {
        let is_word = char.is_ascii_alphanumeric();
        if is_word && (char.is_ascii_uppercase() && name.ends_with(|last: char| last.is_ascii_lowercase())) {
            name.push('_');
        }
        if is_word {
            name.push(char.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_matches('_');
    let name = if name.is_empty() { "call" } else { name };
    let first = if name.starts_with(|first: char| first.is_ascii_digit()) { "call_" } else { "" };
    let fault = match fault {
        Some("RepliesLost") => "_when_replies_are_lost",
        Some("RequestsDoubled") => "_when_requests_are_doubled",
        Some("Disconnects") => "_when_connections_end",
        Some("SpentStates") => "_when_states_are_sent_again",
        Some(_) => "_when_the_process_restarts",
        None => "_as_on_the_page",
    };
    format!("{first}{name}{fault}")
}

fn client(program: &str, call: &DevCall, fault: Option<&str>, store: Option<&str>) -> String {
    let mut text = String::new();
    let command = format!("Command::new(env!(\"CARGO_BIN_EXE_{program}\"))");
    let command = match store {
        None => command,
        Some(test) => {
            let path = format!("concat!(\"sqlite:\", env!(\"CARGO_TARGET_TMPDIR\"), \"/{test}.db\")");
            _ = writeln!(text, "    let mut server = {command};");
            _ = writeln!(text, "    server.env(\"MCP_STORE\", {path});");
            _ = writeln!(text, "    server.env(\"MCP_STATE_KEY\", \"{}=\");", "A".repeat(43));
            "server".to_owned()
        }
    };
    let revision = Revision::parse(&call.setup.revision).unwrap_or(Revision::LATEST);
    let mut methods = vec![format!("revision(mcp_runtime::Revision::{revision:?})")];
    let SetupCapabilities { elicitation, sampling, roots, .. } = call.setup.capabilities;
    if let (false, Ok(profile)) = (elicitation && sampling && roots, profile(&call.setup)) {
        let mut declared = profile.capabilities;
        // The client of a test shows no views.
        declared.as_object_mut().map(|declared| declared.shift_remove("extensions"));
        methods.push(format!("capabilities(json!({}))", json_text(&declared)));
    }
    methods.extend(fault.map(|fault| format!("fault(Fault::{fault})")));
    _ = write!(text, "    let mut client = Client::process({command})");
    for method in methods {
        _ = write!(text, "\n        .{method}");
    }
    text.push_str(";\n");
    text
}

fn outcome(call: &DevCall, replies: &[String]) -> String {
    let first = match &call.request {
        CallRequest::Tool { name, arguments } => {
            format!("call({name:?}, json!({}))", json_text(&arguments.clone().into()))
        }
        CallRequest::Prompt { name, arguments } => {
            format!("prompt({name:?}, json!({}))", json_text(&arguments.clone().into()))
        }
        CallRequest::Resource { uri } => format!("read({uri:?})"),
    };
    let methods: Vec<_> = [first].into_iter().chain(replies.iter().cloned()).chain(["await".to_owned()]).collect();
    let line = format!("client.{}", methods.join("."));
    if line.len() <= CHAIN {
        return format!("    let outcome = {line};\n");
    }
    let mut text = "    let outcome = client".to_owned();
    for method in methods {
        _ = write!(text, "\n        .{method}");
    }
    text.push_str(";\n");
    text
}

/// Returns the methods that give the answers.
fn replies(call: &DevCall) -> Vec<String> {
    let reply = |(question, answer): (&DevQuestion, &AnyAnswer)| match (question, answer) {
        (DevQuestion::Url(_), AnyAnswer::Accept { .. }) => "accept_url()".to_owned(),
        (_, AnyAnswer::Accept { content }) => {
            let content = json_text(&content.clone().unwrap_or_default().into());
            format!("answer(json!({{ \"action\": \"accept\", \"content\": {content} }}))")
        }
        (_, AnyAnswer::Decline) => "decline()".to_owned(),
        (_, AnyAnswer::Cancel) => "cancel()".to_owned(),
        (_, AnyAnswer::Reply { text: Some(text), .. }) => format!("sampled({text:?})"),
        (_, AnyAnswer::Reply { result, .. }) => {
            format!("answer(json!({}))", json_text(&result.clone().unwrap_or_default().into()))
        }
        (_, AnyAnswer::Roots { roots }) => {
            let uris: Vec<_> = roots.iter().map(|root| format!("{:?}", root.uri)).collect();
            if uris.is_empty() { "roots([\"\"; 0])".to_owned() } else { format!("roots([{}])", uris.join(", ")) }
        }
        (_, AnyAnswer::Model) => "sampled(\"\")".to_owned(),
    };
    let mut replies: Vec<_> = answers(call).into_iter().map(reply).collect();
    let is_cancelled = call.events.iter().flatten().any(|event| matches!(event.kind, CallEventKind::Cancelled));
    if is_cancelled {
        replies.push("reply(Reply::cancel_call())".to_owned());
    }
    replies
}

fn asserts(call: &DevCall) -> String {
    // Reports of the processes can come after the end.
    let end = call.events.iter().flatten().rev().map(|event| &event.kind).find(|kind| {
        use CallEventKind::{Cancelled, Failed, Finished};
        matches!(kind, Finished { .. } | Failed { .. } | Cancelled)
    });
    match end {
        Some(CallEventKind::Finished { result }) => match &call.request {
            CallRequest::Tool { .. } => of_tool(result),
            CallRequest::Prompt { .. } => member(result, "messages"),
            CallRequest::Resource { .. } => member(result, "contents"),
        },
        Some(CallEventKind::Failed { code: Some(code), .. }) => {
            format!("    assert_eq!(outcome.error().map(|error| error.code), Some({code}));\n")
        }
        Some(CallEventKind::Failed { .. }) => "    assert!(outcome.error().is_some());\n".to_owned(),
        _ => "    assert!(outcome.is_cancelled());\n".to_owned(),
    }
}

fn of_tool(result: &Value) -> String {
    let mut text = String::new();
    let is_error = result["isError"] == true;
    _ = writeln!(text, "    assert!({}outcome.is_error());", if is_error { "" } else { "!" });
    match result["content"].as_array().map(Vec::as_slice) {
        Some([one]) if one["type"] == "text" => {
            _ = writeln!(text, "    assert_eq!(outcome.text(), {:?});", one["text"].as_str().unwrap_or_default());
        }
        Some([]) | None => {}
        Some(_) => text.push_str(&member(result, "content")),
    }
    if result.get("structuredContent").is_some() {
        text.push_str(&member(result, "structuredContent"));
    }
    text
}

fn member(result: &Value, name: &str) -> String {
    format!("    assert_eq!(outcome.result()[{name:?}], json!({}));\n", json_text(&result[name]))
}

/// Returns the argument of `json!`. JSON has other escapes than Rust, and an integer of Rust has a type.
fn json_text(value: &Value) -> String {
    match value {
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(integer), _) if i32::try_from(integer).is_err() => format!("{integer}_i64"),
            (None, Some(integer)) => format!("{integer}_u64"),
            _ => number.to_string(),
        },
        Value::String(text) => format!("{text:?}"),
        Value::Array(values) if values.is_empty() => "[]".to_owned(),
        Value::Array(values) => {
            format!("[{}]", values.iter().map(json_text).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name:?}: {}", json_text(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) => value.to_string(),
    }
}
