//! What the server remembers of a call.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Default, Serialize)]
pub(crate) struct DevCallRecord {
    /// What the client carries. `None` if no round has ended with questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<CarriedState>,
    /// The record of the ledger, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<LedgerRecord>,
    /// How often each phase and step has run.
    pub(crate) ran: BTreeMap<String, u32>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CarriedState {
    pub(crate) length: usize,
    /// `sealed`, `token` or `unknown`.
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) call: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) round: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expires_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) misses: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) journal: Option<Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct LedgerRecord {
    pub(crate) round: u32,
    /// `open`, `running`, `begun` or `done`.
    pub(crate) status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lease: Option<RecordLease>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reply: Option<Value>,
    pub(crate) steps: Vec<RecordStep>,
    pub(crate) version: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RecordLease {
    pub(crate) holder: String,
    /// Milliseconds since 1970.
    pub(crate) until: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct RecordStep {
    pub(crate) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Value>,
}
