//! The events of a call.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_json::Value;

use super::{
    call::{AnyAnswer, CallRequest, DevAnswerer, DevQuestion},
    fault::DevFault,
};
use crate::{edge::dev::target::ServerInstance, wire::protocol::level::Level};

/// One event of a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct CallEvent {
    pub(crate) id: u64,
    /// Milliseconds since 1970.
    pub(crate) at: u64,
    pub(crate) round: u32,
    /// The number of the message that shows the event. A report of progress has its own text under this name, and no
    /// number.
    #[serde(rename = "message", skip_serializing_if = "Option::is_none")]
    pub(crate) wire: Option<u64>,
    #[serde(flatten)]
    pub(crate) kind: CallEventKind,
}

impl<'de> Deserialize<'de> for CallEvent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Place {
            id: u64,
            at: u64,
            round: u32,
        }
        let mut event = Value::deserialize(from)?;
        let Place { id, at, round } = Place::deserialize(&event).map_err(D::Error::custom)?;
        let wire = event["message"].as_u64();
        if let Some(members) = event.as_object_mut().filter(|_| wire.is_some()) {
            members.shift_remove("message");
        }
        let kind = CallEventKind::deserialize(event).map_err(D::Error::custom)?;
        Ok(Self { id, at, round, wire, kind })
    }
}

/// What happened in a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum CallEventKind {
    Started {
        request: CallRequest,
    },
    /// A request leaves, or in a session the first request, or an answer.
    Round {
        instance: ServerInstance,
        again: bool,
    },
    Log {
        level: Level,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        logger: Option<String>,
        data: Value,
    },
    Progress {
        progress: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    Asked {
        question: DevQuestion,
    },
    Answered {
        seq: u32,
        key: String,
        by: DevAnswerer,
        answer: AnyAnswer,
    },
    /// The question is another one than that which was answered.
    Changed {
        key: String,
        before: DevQuestion,
        after: DevQuestion,
    },
    RoundEnded {
        took: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        state: Option<StateSize>,
    },
    Fault {
        fault: DevFault,
        told: String,
    },
    Ran {
        name: String,
        times: u32,
    },
    Span {
        name: String,
        took: f64,
        fields: BTreeMap<String, String>,
    },
    Metric {
        name: String,
        value: f64,
        labels: BTreeMap<String, String>,
    },
    /// What a fault has done.
    Finding {
        fault: DevFault,
        ok: bool,
        told: String,
    },
    Finished {
        result: Value,
    },
    Failed {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<i64>,
        told: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        data: Option<Value>,
    },
    Cancelled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StateSize {
    pub(crate) length: usize,
}
