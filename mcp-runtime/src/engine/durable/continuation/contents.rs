//! What a `requestState` contains, and the request that it is bound to.

use std::{sync::Arc, time::Duration};

use crate::engine::{
    call::{
        call_id::{CallId, Place},
        hold::LedgerError,
        ledger_time::LedgerTime,
    },
    durable::ledger::{Claims, LedgerId},
    tool::registered::RegisteredTool,
};

/// A decoded `requestState`.
#[derive(Debug)]
pub(crate) struct Continuation {
    pub(crate) place: Place,
    /// The number of requests for this round whose `inputResponses` answered none of the open questions.
    pub(crate) misses: u8,
    /// When the state expires, in the ledger's time. The ledger checks the expiry when the round is claimed.
    pub(crate) expires: LedgerTime,
    pub(crate) carried: Carried,
}

/// The data that every `requestState` contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StateInfo {
    pub(super) place: Place,
    /// The ledger that has the call's record.
    pub(super) ledger: LedgerId,
    pub(super) misses: u8,
    pub(super) expires: LedgerTime,
}

/// The journal in a `requestState`. The journal is decoded only if it is needed. A call whose future waits in this
/// process needs no journal.
#[derive(Debug)]
pub(crate) enum Carried {
    Nothing,
    /// The journal is in this state. The cache has recognized the state as one that this process wrote, so the state is
    /// decrypted only if the journal is needed.
    Unopened(Arc<str>),
    /// The journal is in this decrypted state, from this offset to the end, as JSON text.
    Here(Vec<u8>, usize),
    Spilled(Spilled),
}

/// A journal that is stored in the ledger: its random name, and the SHA-256 of the stored bytes.
#[derive(Debug)]
pub(crate) struct Spilled {
    pub(super) name: CallId,
    pub(super) digest: [u8; 32],
}

/// The request that a `requestState` is bound to. A different request with that state is rejected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) tool: &'a str,
    /// The arguments as JSON text. Two texts with the same JSON value count as the same arguments.
    pub(crate) arguments: &'a str,
    /// The name of the principal, if known.
    pub(crate) principal: Option<&'a str>,
}

/// The data that are needed to write or read a `requestState`.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) claims: &'a Claims,
    pub(crate) ledger: LedgerId,
    pub(crate) binding: Binding<'a>,
    /// How long the state stays valid.
    pub(crate) keep: Duration,
    /// Whether the call can be rebuilt from its journal. If it cannot, its states do not contain the journal.
    pub(crate) replayable: bool,
}

impl<'a> Binding<'a> {
    pub(crate) fn new(tool: &'a RegisteredTool, arguments: &'a str, principal: Option<&'a str>) -> Self {
        Self { tool: &tool.unique_name, arguments, principal }
    }
}

impl<'a> Placed<'a> {
    /// Asks the ledger for its id.
    ///
    /// # Errors
    /// Fails if the ledger cannot be asked.
    pub(crate) async fn new(
        claims: &'a Claims,
        tool: &'a RegisteredTool,
        arguments: &'a str,
        principal: Option<&'a str>,
    ) -> Result<Self, LedgerError> {
        let (ledger, binding) = (claims.ledger_id().await?, Binding::new(tool, arguments, principal));
        let definition = &tool.definition;
        Ok(Self { claims, ledger, binding, keep: definition.states_kept(), replayable: definition.replayable })
    }
}

/// A newly written `requestState`.
pub(crate) struct Written {
    pub(crate) text: String,
    /// The number of journal bytes that were stored in the ledger, because they were too many for the state.
    pub(crate) spilled: usize,
}

impl Spilled {
    pub(super) fn key(&self) -> String {
        format!("journal:{}", self.name.name())
    }
}
