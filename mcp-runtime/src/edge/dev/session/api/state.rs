//! What the page shows of the program, and what a client can use of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{call::DevCall, event::CallEvent, fault::DevFault};
use crate::edge::dev::target::{TargetStatus, TransportKind};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct DevState {
    /// The name of the program.
    pub(crate) program: String,
    pub(crate) source: SessionSource,
    pub(crate) abilities: SessionAbilities,
    pub(crate) revisions: Vec<&'static str>,
    /// The build, and the server.
    #[serde(flatten)]
    pub(crate) status: TargetStatus,
}

/// Where the shown session comes from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum SessionSource {
    Program,
    Url { url: String },
    Recording { file: String },
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct SessionAbilities {
    pub(crate) faults: Vec<DevFault>,
    pub(crate) processes: bool,
    pub(crate) records: bool,
    pub(crate) transports: Vec<TransportKind>,
    pub(crate) tokens: bool,
    /// The model that the environment configures, if any.
    pub(crate) model: Option<String>,
}

/// What a client can use: the objects of the protocol's lists, as they came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Items {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server_info: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<String>,
    /// Each tool has its size in a model's context, and an example of its arguments.
    pub(crate) tools: Vec<Value>,
    pub(crate) prompts: Vec<Value>,
    pub(crate) resources: Vec<Value>,
    pub(crate) resource_templates: Vec<Value>,
    pub(crate) skills: Vec<Value>,
    /// About how many tokens the list of tools needs.
    pub(crate) tokens: usize,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct DevCheckReport {
    pub(crate) findings: Vec<CheckFinding>,
    pub(crate) tokens: CheckedTokens,
}

#[derive(Debug, Serialize)]
pub(crate) struct CheckFinding {
    pub(crate) rule: String,
    pub(crate) level: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) item: Option<String>,
    pub(crate) message: String,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct CheckedTokens {
    pub(crate) total: usize,
    pub(crate) tools: Vec<ToolTokens>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ToolTokens {
    pub(crate) name: String,
    pub(crate) tokens: usize,
}

/// What the stream of events sends.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum DevEvent<'a> {
    State { state: &'a DevState },
    ItemsChanged,
    Call { call: &'a DevCall },
    Event { call: &'a str, event: &'a CallEvent },
    Messages { total: usize, dropped: u64 },
}
