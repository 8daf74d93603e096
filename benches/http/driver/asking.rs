//! The HTTP requests as bytes.

use std::fmt::Write as _;

use crate::workload::{Ask, Era, Workload};

/// The head of every request of a workload, up to the value of `Content-Length`.
#[derive(Clone)]
pub(crate) struct Asking(String);

impl Asking {
    pub(crate) fn new(workload: &Workload, session: Option<&str>) -> Self {
        let mut head = String::from(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n\
             Content-Type: application/json\r\n",
        );
        let mut header = |name: &str, value: &str| {
            let _ = write!(head, "{name}: {value}\r\n");
        };
        match (workload.era, workload.ask) {
            (Era::Modern, ask) => {
                header("MCP-Protocol-Version", "2026-07-28");
                match ask {
                    Ask::List | Ask::FilteredList => header("Mcp-Method", "tools/list"),
                    Ask::Resources(_) => header("Mcp-Method", "resources/list"),
                    Ask::Complete(_) => header("Mcp-Method", "completion/complete"),
                    Ask::Echo(_) | Ask::Confirm(_) | Ask::Nap(_) | Ask::Order => header("Mcp-Method", "tools/call"),
                }
                match ask {
                    Ask::List | Ask::FilteredList | Ask::Resources(_) | Ask::Complete(_) => {}
                    Ask::Echo(_) => header("Mcp-Name", "echo"),
                    Ask::Confirm(tool) => header("Mcp-Name", tool),
                    Ask::Nap(_) => header("Mcp-Name", "nap"),
                    Ask::Order => header("Mcp-Name", "order"),
                }
            }
            (Era::Legacy, _) => {
                if let Some(session) = session {
                    header("MCP-Protocol-Version", "2025-11-25");
                    header("Mcp-Session-Id", session);
                }
            }
        }
        head.push_str("Content-Length: ");
        Self(head)
    }

    /// Appends a request with this body.
    pub(crate) fn push(&self, body: &[u8], to: &mut Vec<u8>) {
        to.extend_from_slice(self.0.as_bytes());
        to.extend_from_slice(body.len().to_string().as_bytes());
        to.extend_from_slice(b"\r\n\r\n");
        to.extend_from_slice(body);
    }
}
