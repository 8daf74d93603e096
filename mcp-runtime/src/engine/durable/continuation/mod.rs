//! The `requestState` of a round that ended with questions. The client sends it back to resume its call.
//!
//! With the feature `seal` a state contains the sealed journal of the call, so that any instance with the keys can
//! resume the call. If the journal is in the call's record, or if the call cannot be rebuilt, the state is a token, which
//! only identifies the call and its round. Without this feature, and if the state never leaves the process, the state is a
//! handle, and the process keeps the journal of a call that has no record.

mod contents;
mod handles;
mod recent;
#[cfg(feature = "seal")]
pub(crate) mod sealed;

use std::sync::Arc;

pub(crate) use self::contents::{Binding, Carried, Continuation, Placed, Written};
use self::{
    contents::{PushJournal, StateInfo},
    handles::Handles,
    recent::RecentStates,
};
use super::{ledger::OutcomeCipher, on_demand::OnDemand};
use crate::{
    engine::call::{
        call_id::{CallId, Place},
        journal::Journal,
        ledger_time::LedgerTime,
    },
    wire::protocol::error::RpcError,
};

/// Writes and reads the `requestState` values of a server's calls.
pub(crate) struct RequestStates {
    kind: StateKind,
    recent: RecentStates,
}

enum StateKind {
    Handles(OnDemand<Handles>),
    #[cfg(feature = "seal")]
    Sealed(Arc<sealed::Sealed>),
}

impl Default for RequestStates {
    /// Creates states that are handles, for a server without the feature `seal`, and for states that never leave the
    /// process.
    fn default() -> Self {
        Self { kind: StateKind::Handles(OnDemand::default()), recent: RecentStates::default() }
    }
}

#[cfg(not(feature = "seal"))]
impl RequestStates {
    /// An author cannot configure handles, so this returns them unchanged.
    pub(crate) fn complete(self, _is_ledger_shared: bool, _problems: &mut Vec<String>) -> Self {
        self
    }
}

#[cfg(feature = "seal")]
impl From<sealed::Sealed> for RequestStates {
    fn from(sealed: sealed::Sealed) -> Self {
        Self { kind: StateKind::Sealed(Arc::new(sealed)), recent: RecentStates::default() }
    }
}

/// Evaluates `$do` for the kind of states that the server uses: handles or sealed states.
macro_rules! with_states {
    ($self:ident, $states:ident => $do:expr) => {
        match &$self.kind {
            StateKind::Handles($states) => $do,
            #[cfg(feature = "seal")]
            StateKind::Sealed($states) => $do,
        }
    };
}

impl RequestStates {
    /// Writes the state of a round. The state is valid until `expires`. A sealed state contains the journal, if there is
    /// one.
    ///
    /// # Errors
    /// Fails if the journal is too large for a state and the ledger cannot store it.
    pub(crate) async fn write(
        &self,
        placed: Placed<'_>,
        place: Place,
        misses: u8,
        expires: LedgerTime,
        journal: Option<PushJournal<'_>>,
    ) -> Result<Written, RpcError> {
        let info = StateInfo { place, ledger: placed.ledger, misses, expires };
        let written = with_states!(self, states => states.write(placed, info, journal).await)?;
        self.recent.keep(&written.text, &placed.binding, info);
        Ok(written)
    }

    /// Reads a state without checking its expiry and its ledger.
    ///
    /// # Errors
    /// Fails if the state belongs to another request.
    pub(crate) fn read(&self, binding: &Binding<'_>, state: &str) -> Result<Continuation, RpcError> {
        let (info, carried) = match self.recent.take(state, binding) {
            Some((state, info)) => (info, Carried::Unopened(state)),
            None => with_states!(self, states => states.open(binding, state))?,
        };
        let StateInfo { place, ledger, misses, expires } = info;
        Ok(Continuation { place, ledger, misses, expires, carried })
    }

    /// Returns the journal that a `requestState` contains or refers to, if any.
    ///
    /// # Errors
    /// Fails if the journal was stored in the ledger and is no longer there.
    pub(crate) async fn journal(
        &self,
        placed: Placed<'_>,
        place: Place,
        carried: &Carried,
    ) -> Result<Option<Journal>, RpcError> {
        with_states!(self, states => states.journal(placed, place, carried).await)
    }

    /// Returns the first round of the call with this idempotency key. Two equal requests with the same key belong to
    /// the same call.
    pub(crate) fn place_of_key(&self, binding: &Binding<'_>, key: &str) -> Place {
        let call = with_states!(self, states => states.call_of_key(binding, key));
        Place { call, round: 0, first: 0 }
    }

    /// Returns a UUID (version 8, RFC 9562) that identifies a step of a call. This UUID cannot be computed from the
    /// UUIDs of other steps.
    pub(crate) fn idempotency_key(&self, call: CallId, step: &str) -> String {
        let code = with_states!(self, states => states.step_code(call, step));
        let CallId(high, low) = CallId::from_code(&code);
        let digits = CallId(high & !(0xf << 12) | 0x8 << 12, low & !(0x3 << 62) | 0x2 << 62).name();
        [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]).join("-")
    }

    /// Clears the cache of recently written states. The server does this when no call is open.
    pub(crate) fn forget(&self) {
        self.recent.clear();
    }

    /// Returns the cipher for outcomes that are stored outside the process. Returns `None` if the server has no keys.
    pub(crate) fn outcome_cipher(&self) -> Option<Arc<dyn OutcomeCipher>> {
        match &self.kind {
            StateKind::Handles(_) => None,
            #[cfg(feature = "seal")]
            StateKind::Sealed(sealed) => Some(Arc::clone(sealed) as _),
        }
    }

    /// Returns whether states cannot contain a journal, so that the process keeps the journal of a call that has no
    /// record.
    pub(crate) fn keep_journals(&self) -> bool {
        matches!(self.kind, StateKind::Handles(_))
    }
}
