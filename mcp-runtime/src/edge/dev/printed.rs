//! The calls and messages of a session at the terminal, one line each.

use std::sync::Arc;

use serde_json::Value;

use super::{
    session::{
        DevSession,
        api::message::{Direction, MessageSummary},
        hub::NextEvent,
    },
    terminal::{Terminal, line_of},
};

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
    let MessageSummary { n, direction, kind, request, length, preview, .. } = message;
    let arrow = match direction {
        Direction::Sent => "->",
        Direction::Received => "<-",
    };
    let request = request.as_ref().map(|id| format!(" of request {id}")).unwrap_or_default();
    let preview: String = preview.chars().filter(|char| !char.is_control()).collect();
    format!("{arrow} {n} {kind}{request}, {length} bytes: {preview}")
}
