//! The addresses, the calls and the messages of a session at the terminal, one line each.

use std::sync::Arc;

use serde_json::Value;

use super::{
    page::ServedPage,
    session::{
        DevSession,
        api::message::{Direction, MessageSummary},
        hub::NextEvent,
    },
    terminal::{Terminal, line_of},
};
use crate::edge::hosts::{
    entry::{ServerEntry, ServerTarget, entry_name_of},
    known::Scope,
    own_command::{claude, shell_command},
};

/// Returns the lines with what a user opens, and with what a host connects to. `port` is the one that the user has chosen,
/// or 0.
pub(super) fn addresses(page: &ServedPage, program: &str, port: u16) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(page.url().map(|url| format!("dev: the page is {url}")));
    if let Some(url) = page.host_url() {
        let hint = if port == 0 { "; with `--port N` the address stays the same" } else { "" };
        lines.push(format!("dev: hosts connect to {url}{hint}"));
        lines.extend(command_of_host(program, url).map(|command| format!("dev: for example: {command}")));
    }
    lines
}

/// Returns the command with which one of the hosts adds the server, beside the one that may be installed.
fn command_of_host(program: &str, url: String) -> Option<String> {
    let name = entry_name_of(&format!("{program}-dev"));
    let entry = ServerEntry { name, target: ServerTarget::Url(url), variables: Vec::new(), secrets: Vec::new() };
    // The file of a project is shared with others, and the address is a secret.
    Some(shell_command(&claude(&entry, Scope::User)?))
}

/// Shows the rounds and the messages of a session from now on. Completes only if the session has more events than it
/// keeps.
pub(super) async fn follow(terminal: &Terminal, session: &Arc<DevSession>) {
    let hub = &session.hub;
    let (mut seen, mut shown) = (hub.last(), 0);
    loop {
        // Begins to wait before it looks, so that no event is missed.
        let changed = hub.changed.notified();
        match hub.after(seen) {
            NextEvent::Event(id, event) => {
                seen = id;
                let event: Value = serde_json::from_str(&event).unwrap_or_default();
                match event["type"].as_str() {
                    Some("event") => call_line(&event).iter().for_each(|line| terminal.line(line)),
                    Some("messages") => shown = show_messages(terminal, session, shown),
                    _ => {}
                }
            }
            NextEvent::NoneYet => changed.await,
            NextEvent::Missed => {
                terminal.line("(some events are not shown)");
                seen = hub.last();
            }
        }
    }
}

fn call_line(event: &Value) -> Option<String> {
    let line = line_of(&event["event"])?;
    Some(format!("call {}: {line}", event["call"].as_str().unwrap_or_default()))
}

/// Shows the messages with a number above `shown`. Returns the number of the last one.
fn show_messages(terminal: &Terminal, session: &DevSession, mut shown: u64) -> u64 {
    loop {
        let messages = session.messages_after(shown);
        let Some(last) = messages.last() else { return shown };
        shown = last.n;
        messages.iter().for_each(|message| terminal.line(&message_line(message)));
    }
}

fn message_line(message: &MessageSummary) -> String {
    let MessageSummary { n, direction, kind, request, host, length, preview, .. } = message;
    let arrow = match direction {
        Direction::Sent => "->",
        Direction::Received => "<-",
    };
    let request = request.as_ref().map(|id| format!(" of request {id}")).unwrap_or_default();
    let preview: String = preview.chars().filter(|char| !char.is_control()).collect();
    let host = host.as_ref().map(|host| format!("{host} ")).unwrap_or_default();
    format!("{host}{arrow} {n} {kind}{request}, {length} bytes: {preview}")
}
