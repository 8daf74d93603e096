//! What the server remembers of a call: opens the latest state of the call, and reads the ledger's record.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;

use super::api::{
    call::CallRequest,
    record::{CarriedState, DevCallRecord, LedgerRecord, RecordLease, RecordStep},
};
use crate::{
    edge::dev::target::{ClientSetup, DevStore, DevTarget},
    engine::{
        call::call_id::CallId,
        durable::{
            continuation::{Binding, Continuation},
            inspect::{CallInspector, InspectedState},
            ledger::InspectedRecord,
        },
    },
};

/// What is known of a call on the side of the client.
pub(crate) struct KnownCall<'a> {
    pub(crate) request: &'a CallRequest,
    pub(crate) setup: &'a ClientSetup,
    /// The state of the latest round that ended with questions.
    pub(crate) state: Option<&'a str>,
    pub(crate) idempotency_key: Option<&'a str>,
    pub(crate) ran: BTreeMap<String, u32>,
}

/// Returns what the server remembers.
///
/// # Errors
/// Fails if the store cannot be read.
pub(crate) async fn read(target: &dyn DevTarget, call: KnownCall<'_>) -> Result<DevCallRecord, String> {
    let KnownCall { request, setup, state, idempotency_key, ran } = call;
    let shown = state.map(|state| CarriedState { length: state.len(), kind: kind(state), ..CarriedState::default() });
    let mut shown = DevCallRecord { state: shown, record: None, ran };
    let (Some(DevStore { keys, store }), Some((tool, arguments))) = (target.store(), bound(request)) else {
        return Ok(shown);
    };
    let inspector = CallInspector::new(keys, Arc::new(store));
    let principal = setup.principal.as_ref().map(|principal| &*principal.name);
    let binding = Binding { tool: &tool, arguments: &arguments, principal };
    let opened = match state {
        Some(state) => inspector.state(&binding, state).await.ok(),
        None => None,
    };
    let call = match (&opened, idempotency_key) {
        (Some(opened), _) => opened.continuation.place.call,
        (None, Some(key)) => inspector.place_of_key(&binding, key).call,
        (None, None) => return Ok(shown),
    };
    let found = inspector.record(call).await.map_err(|error| error.message)?;
    let (record, journal) = found.map_or((None, None), |(record, journal)| (Some(record), journal));
    if let (Some(shown), Some(opened)) = (&mut shown.state, opened) {
        describe(shown, call, opened, journal);
    }
    shown.record = record.map(record_of);
    Ok(shown)
}

/// Returns the name and the arguments that a state of this request is bound to. `None` for a resource, whose name is known
/// to the server alone.
fn bound(request: &CallRequest) -> Option<(String, String)> {
    let text = |arguments| serde_json::to_string(arguments).unwrap_or_default();
    match request {
        CallRequest::Tool { name, arguments } => Some((name.clone(), text(arguments))),
        CallRequest::Prompt { name, arguments } => Some((format!("prompts/get {name}"), text(arguments))),
        CallRequest::Resource { .. } => None,
    }
}

/// Returns the kind of a state, which its beginning shows.
fn kind(state: &str) -> &'static str {
    match state.get(..3) {
        Some("v1.") => "sealed",
        Some("t1.") => "token",
        _ => "unknown",
    }
}

fn describe(shown: &mut CarriedState, call: CallId, opened: InspectedState, of_record: Option<Value>) {
    let Continuation { place, misses, expires, .. } = opened.continuation;
    shown.call = Some(call.name());
    shown.round = Some(place.round);
    shown.expires_at = Some(expires.0);
    shown.misses = Some(misses);
    shown.journal = opened.journal.or(of_record);
}

fn record_of(record: InspectedRecord) -> LedgerRecord {
    let InspectedRecord { round, status, lease, reply, steps, journal: _, version } = record;
    LedgerRecord {
        round,
        status,
        lease: lease.map(|(holder, until)| RecordLease { holder: format!("{holder:016x}"), until: until.0 }),
        reply,
        steps: steps.into_iter().map(|(name, value)| RecordStep { name, value }).collect(),
        version: version.0.to_string(),
    }
}
