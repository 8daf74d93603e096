//! Examines a server through an open session: lists everything, and calls tools that only read.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use tokio::time::Instant;

use super::{report::Section, session::HostSession};
use crate::{edge::cli::terminal::counted, wire::protocol::revision::Revision};

/// Hosts wait 10 seconds or longer for the first reply of a server.
const SLOW_START: Duration = Duration::from_secs(5);

/// Hosts request the lists while their user waits.
const SLOW_LIST: Duration = Duration::from_secs(2);

/// A user watches a call.
const SLOW_CALL: Duration = Duration::from_secs(10);

/// How a host begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beginning {
    /// As a client of 2026-07-28, without a session.
    Discover,
    /// With a session.
    Initialize,
    /// Asks with `server/discover` what the server is, and then begins a session on the same connection.
    DiscoverThenInitialize,
}

impl Beginning {
    pub(crate) fn revision(self) -> Revision {
        match self {
            Self::Initialize => Revision::LATEST_LEGACY,
            Self::Discover | Self::DiscoverThenInitialize => Revision::LATEST,
        }
    }

    pub(crate) fn in_words(self) -> String {
        match self {
            Self::Discover => format!("{}", Revision::LATEST),
            Self::Initialize => format!("{}", Revision::LATEST_LEGACY),
            Self::DiscoverThenInitialize => format!("{}, then {}", Revision::LATEST, Revision::LATEST_LEGACY),
        }
    }

    /// Begins. Returns the capabilities of the server.
    async fn begin(self, session: &mut HostSession) -> Result<Value, String> {
        if self != Self::Initialize {
            let capabilities = session.discover().await?;
            if self == Self::Discover {
                return Ok(capabilities);
            }
        }
        session.initialize(Revision::LATEST_LEGACY).await
    }
}

/// The lists of a server: the capability, the method, the member of its result, and the word for one item.
const LISTS: [(&str, &str, &str, &str); 4] = [
    ("tools", "tools/list", "tools", "tool"),
    ("prompts", "prompts/list", "prompts", "prompt"),
    ("resources", "resources/list", "resources", "resource"),
    ("resources", "resources/templates/list", "resourceTemplates", "template"),
];

/// Begins, and lists everything. `started` is when the connection began to open. Returns the tools.
///
/// # Errors
/// Returns what went wrong.
pub(crate) async fn list(
    section: &mut Section,
    session: &mut HostSession,
    beginning: Beginning,
    started: Instant,
) -> Result<Vec<Value>, String> {
    let capabilities = beginning.begin(session).await?;
    section.timed("the server answers", started.elapsed(), SLOW_START);
    let begun = Instant::now();
    let (mut tools, mut counts) = (Vec::new(), Vec::new());
    for (capability, method, member, word) in LISTS {
        if capabilities.get(capability).is_none() {
            continue;
        }
        let items = session.list(method, member).await?;
        counts.push(counted(items.len(), word));
        if word == "tool" {
            tools = items;
        }
    }
    let counts = if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") };
    section.timed(format!("it lists {counts}"), begun.elapsed(), SLOW_LIST);
    let mut names = BTreeSet::new();
    for name in tools.iter().map(name) {
        if !names.insert(name) {
            return Err(format!("two tools are named `{name}`"));
        }
    }
    Ok(tools)
}

/// Calls each tool that only reads and needs no arguments.
///
/// # Errors
/// Returns what went wrong. A tool that says that it has failed is a warning.
pub(crate) async fn call_readers(
    section: &mut Section,
    session: &mut HostSession,
    tools: &[Value],
) -> Result<(), String> {
    let mut left_out = 0;
    for tool in tools {
        let name = name(tool);
        if !only_reads(tool) || needs_arguments(tool) {
            left_out += 1;
            continue;
        }
        let begun = Instant::now();
        let result = session.request("tools/call", json!({ "name": name, "arguments": {} })).await?;
        let said = result["content"][0]["text"].as_str().unwrap_or_default();
        let said: String = said.lines().next().unwrap_or_default().chars().take(120).collect();
        if result["isError"] == true {
            section.warn(format!("`{name}` failed: {said}"));
        } else if result["resultType"] == "input_required" {
            section.ok(format!("`{name}` asks the user or a model, and was not answered"));
        } else {
            section.timed(format!("`{name}` was called"), begun.elapsed(), SLOW_CALL);
        }
    }
    if left_out > 0 {
        let left_out = counted(left_out, "tool");
        section.ok(format!("did not call {left_out}: not `read_only`, or with arguments"));
    }
    Ok(())
}

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap_or_default()
}

fn only_reads(tool: &Value) -> bool {
    tool["annotations"]["readOnlyHint"] == true
}

fn needs_arguments(tool: &Value) -> bool {
    tool["inputSchema"]["required"].as_array().is_some_and(|required| !required.is_empty())
}

/// Adds what is missing in one list of tools: a client of the other revision does not see these tools.
pub(crate) fn compare(section: &mut Section, modern: &[Value], legacy: &[Value]) {
    let names = |tools: &[Value]| tools.iter().map(|tool| name(tool).to_owned()).collect::<BTreeSet<_>>();
    let (modern, legacy) = (names(modern), names(legacy));
    let list = |names: Vec<&String>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    for (missing, revision) in [
        (modern.difference(&legacy).collect::<Vec<_>>(), Revision::LATEST_LEGACY),
        (legacy.difference(&modern).collect(), Revision::LATEST),
    ] {
        if !missing.is_empty() {
            section.warn(format!("clients of {revision} do not see {}", list(missing)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reader_without_required_arguments_is_called() {
        let reader = json!({ "name": "a", "annotations": { "readOnlyHint": true }, "inputSchema": { "required": [] } });
        assert!(only_reads(&reader) && !needs_arguments(&reader));
        let writer = json!({ "name": "b", "inputSchema": { "required": ["x"] } });
        assert!(!only_reads(&writer) && needs_arguments(&writer));
    }
}
