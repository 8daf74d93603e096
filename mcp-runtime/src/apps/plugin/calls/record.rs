//! A call as it is stored, so that it survives a restart of the application.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, value::RawValue};

use super::{answer::PluginAnswer, live::LiveCall};
use crate::{
    apps::plugin::timeline::{LogBudget, Timeline},
    engine::{call::Principal, tool::registered::RegisteredTool},
    wire::protocol::json::json_of,
};

/// A stored call.
#[derive(Serialize, Deserialize)]
pub(crate) struct CallRecord {
    pub(crate) id: Box<str>,
    pub(crate) tool: Box<str>,
    pub(crate) owner: Option<OwnerRecord>,
    /// Milliseconds since 1970.
    pub(crate) started_at: u64,
    pub(crate) step: CallStep,
    pub(crate) handoff: Option<Box<RawValue>>,
    /// The number of questions so far.
    pub(crate) asked: u32,
    /// The events so far, each with its id. The first one has the arguments.
    pub(crate) events: Vec<(u64, Box<RawValue>)>,
    /// The first id for events after a restart.
    pub(crate) reserved: u64,
}

/// The next step of a call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CallStep {
    /// It sends its first request.
    Begin,
    /// It waits for the answer to its last question.
    Asked { state: Box<str>, key: Box<str> },
    /// It sends the answer.
    Answered { state: Box<str>, key: Box<str>, answer: PluginAnswer },
    /// It has ended.
    Over,
}

/// The owner of a stored call, with the scopes and claims that the tool sees.
#[derive(Serialize, Deserialize)]
pub(crate) struct OwnerRecord {
    name: Box<str>,
    scopes: Vec<Box<str>>,
    claims: Map<String, Value>,
}

impl CallRecord {
    pub(crate) fn of(call: &LiveCall, step: CallStep, asked: u32) -> Self {
        let (events, reserved) = call.timeline.all();
        // Every event is JSON.
        let events = events.iter().filter_map(|event| Some((event.id, serde_json::from_str(&event.text()).ok()?)));
        Self {
            id: (&*call.id).into(),
            tool: call.tool.clone(),
            owner: call.owner.as_ref().map(OwnerRecord::from),
            started_at: call.started_at,
            step,
            handoff: call.handoff.lock().as_deref().map(|handoff| json_of(handoff).to_owned()),
            asked,
            events: events.collect(),
            reserved,
        }
    }

    /// Returns the call, its next step, and the number of its questions so far. `registered` is its tool.
    pub(crate) fn into_call(
        self,
        registered: Option<Arc<RegisteredTool>>,
        most_bytes: usize,
        logs: Arc<LogBudget>,
    ) -> (LiveCall, CallStep, u32) {
        let Self { id, tool, owner, started_at, step, handoff, asked, events, reserved } = self;
        let owner = owner.map(Principal::from);
        let timeline = Timeline::stored(events, reserved, matches!(step, CallStep::Over), most_bytes, logs);
        let call = LiveCall::new(id.into(), tool, registered, owner, started_at, timeline);
        *call.handoff.lock() = handoff.map(Box::from);
        if let CallStep::Asked { .. } = &step {
            let mut question = call.timeline.last_question().unwrap_or_default();
            question.seq = asked;
            call.ask(question);
        }
        (call, step, asked)
    }
}

impl From<&Principal> for OwnerRecord {
    fn from(principal: &Principal) -> Self {
        Self {
            name: principal.name().into(),
            scopes: principal.granted().map(Box::from).collect(),
            claims: principal.all_claims().clone(),
        }
    }
}

impl From<OwnerRecord> for Principal {
    fn from(record: OwnerRecord) -> Self {
        Self::new(Arc::from(record.name)).scopes(record.scopes).claims(record.claims)
    }
}
