//! Opens the states and reads the records of calls, for the development page. The author has the keys.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

use super::{
    continuation::{Binding, Carried, Continuation, Placed, RequestStates, sealed::Sealed},
    ledger::{Claims, InspectedRecord, LEASE, Ledger, RecordKey},
    seal::KeyRing,
};
use crate::{
    engine::call::{
        call_id::{CallId, Place},
        journal::Journal,
    },
    wire::protocol::error::RpcError,
};

/// The longest state that is opened. A server can set another limit for its own.
const LONGEST_STATE: usize = 1024 * 1024;

/// Opens the states and reads the records of a server's calls. Changes nothing.
pub(crate) struct CallInspector {
    states: RequestStates,
    claims: Arc<Claims>,
}

/// A state of a call that was opened.
pub(crate) struct InspectedState {
    pub(crate) continuation: Continuation,
    /// The journal that the state contains or refers to. `None` if the journal is in the record of the call.
    pub(crate) journal: Option<Value>,
}

impl CallInspector {
    pub(crate) fn new(keys: KeyRing, ledger: Arc<dyn Ledger>) -> Self {
        let states = RequestStates::from(Sealed::new(keys, Some(LONGEST_STATE)));
        let claims = Claims::new(ledger, LEASE, states.outcome_cipher());
        Self { states, claims }
    }

    /// Opens a state of the request that it is bound to.
    ///
    /// # Errors
    /// Fails if the state belongs to another request, or was sealed with other keys.
    pub(crate) async fn state(&self, binding: &Binding<'_>, state: &str) -> Result<InspectedState, RpcError> {
        let continuation = self.states.read(binding, state)?;
        let Continuation { place, ledger, carried, .. } = &continuation;
        let placed = Placed { claims: &self.claims, ledger: *ledger, binding: *binding, keep: Duration::ZERO };
        let journal = match carried {
            Carried::Nothing => None,
            _ => self.states.journal(placed, *place, carried).await?.as_ref().and_then(json),
        };
        Ok(InspectedState { continuation, journal })
    }

    /// Returns the first round of the call with this idempotency key.
    pub(crate) fn place_of_key(&self, binding: &Binding<'_>, key: &str) -> Place {
        self.states.place_of_key(binding, key)
    }

    /// Returns the record of a call in this store, and the journal in the record.
    ///
    /// # Errors
    /// Fails if the store cannot be read.
    pub(crate) async fn record(&self, call: CallId) -> Result<Option<(InspectedRecord, Option<Value>)>, RpcError> {
        let ledger = self.claims.ledger_id().await.map_err(RpcError::unavailable)?;
        let record = self.claims.inspect(RecordKey { ledger, call }).await.map_err(RpcError::unavailable)?;
        Ok(record.map(|record| {
            let journal = record.journal.as_deref().and_then(|text| Journal::of_record(text).ok());
            (record, journal.as_ref().and_then(json))
        }))
    }
}

fn json(journal: &Journal) -> Option<Value> {
    let mut text = Vec::new();
    journal.push_json(&mut text);
    serde_json::from_slice(&text).ok()
}
