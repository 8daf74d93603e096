//! What leads a client back to its call: the `requestState` of a round that asked.
//!
//! With the feature `seal` a state carries its call's journal, sealed: any instance with the keys can go on. Without it
//! a state is a handle, and the journal stays in the process.

mod handles;
mod recent;
#[cfg(feature = "seal")]
pub(crate) mod sealed;

use std::time::Duration;

pub(crate) use self::handles::Handles;
use super::ledger::{Claims, Cover, LedgerId};
use crate::{
    call::{call_id::CallId, journal::Journal, ledger_time::LedgerTime, place::Place},
    protocol::error::RpcError,
};

/// Where a call goes on.
#[derive(Debug)]
pub(crate) struct Continuation {
    pub(crate) place: Place,
    /// How many requests in a row came back without an answer.
    pub(crate) misses: u8,
    /// When its state expires, in the ledger's time. Reading a state does not check it: the ledger does, when the round is
    /// taken up.
    pub(crate) expires: LedgerTime,
    pub(crate) carried: Carried,
}

/// What a state says of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Said {
    place: Place,
    /// The ledger that knows the call.
    ledger: LedgerId,
    misses: u8,
    expires: LedgerTime,
}

/// The journal of a call, as its state carries it. It is read where the call is not here.
#[derive(Debug)]
pub(crate) enum Carried {
    Nothing,
    #[cfg(feature = "seal")]
    Sealed(sealed::SealedJournal),
}

/// What a state belongs to: no other request may bring it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) tool: &'a str,
    /// JSON text, however it is spelt.
    pub(crate) arguments: &'a str,
    /// Who is behind it, where that is known.
    pub(crate) principal: Option<&'a str>,
}

/// What a state stands in.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "seal"), expect(dead_code, reason = "a handle carries nothing"))]
pub(crate) struct Placed<'a> {
    pub(crate) claims: &'a Claims,
    pub(crate) ledger: LedgerId,
    pub(crate) binding: &'a Binding<'a>,
    /// How long the state is good.
    pub(crate) keep: Duration,
    /// Whether the call can be made again from its journal. Nobody needs that of another.
    pub(crate) replayable: bool,
}

/// A state that was written.
pub(crate) struct Written {
    pub(crate) text: String,
    /// How many bytes of it were left with the ledger.
    pub(crate) spilled: usize,
}

/// Writes the states of a server's calls, and reads them.
pub(crate) enum RequestStates {
    #[cfg_attr(all(feature = "seal", not(test)), expect(dead_code, reason = "states are sealed"))]
    Handles(Handles),
    #[cfg(feature = "seal")]
    Sealed(std::sync::Arc<sealed::Sealed>),
}

/// The same expression for either kind of states.
macro_rules! with_states {
    ($self:ident, $states:ident => $do:expr) => {
        match $self {
            Self::Handles($states) => $do,
            #[cfg(feature = "seal")]
            Self::Sealed($states) => $do,
        }
    };
}

impl RequestStates {
    /// The state of a place, good until then.
    ///
    /// # Errors
    /// The journal is too large to be carried, and the ledger does not keep it either.
    pub(crate) async fn write(
        &self,
        placed: Placed<'_>,
        place: Place,
        misses: u8,
        expires: LedgerTime,
        journal: &Journal,
    ) -> Result<Written, RpcError> {
        with_states!(self, states => states.write(placed, place, misses, expires, journal).await)
    }

    /// Where a state leads, be it past its time or not. `anywhere`: it may be from another ledger.
    ///
    /// # Errors
    /// The state is not of this request, or not of this ledger.
    pub(crate) fn read(&self, placed: Placed<'_>, anywhere: bool, state: &str) -> Result<Continuation, RpcError> {
        with_states!(self, states => states.read(placed, anywhere, state))
    }

    /// The journal that came with a state, if one did.
    ///
    /// # Errors
    /// It was left with the ledger, which does not have it any more.
    pub(crate) async fn journal(
        &self,
        placed: Placed<'_>,
        place: Place,
        carried: Carried,
    ) -> Result<Option<Journal>, RpcError> {
        with_states!(self, states => states.journal(placed, place, carried).await)
    }

    /// Where a call begins that has a key from its client: the same for the same request with the same key.
    pub(crate) fn place_of_key(&self, binding: &Binding<'_>, key: &str) -> Place {
        let call = with_states!(self, states => states.call_of_key(binding, key));
        Place { call, round: 0, first: 0 }
    }

    /// A UUID that stands for a step of this call, and for no other (version 8, RFC 9562). Whoever knows some of a
    /// call's can compute no other.
    pub(crate) fn idempotency_key(&self, call: CallId, step: &str) -> String {
        let code = with_states!(self, states => states.step_code(call, step));
        let CallId(high, low) = CallId::from_code(&code);
        let digits = CallId(high & !(0xf << 12) | 0x8 << 12, low & !(0x3 << 62) | 0x2 << 62).name();
        [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]).join("-")
    }

    /// Forgets what is only kept to be quick. For when no call is open.
    pub(crate) fn forget(&self) {
        with_states!(self, states => states.forget());
    }

    /// What covers the outcomes that leave the process, where there are keys for it.
    pub(crate) fn cover(&self) -> Option<Cover> {
        with_states!(self, states => states.cover())
    }

    /// Whether a journal stays here, since no state carries it.
    pub(crate) fn carry_journals(&self) -> bool {
        !self.keeps_journals()
    }

    pub(crate) fn keeps_journals(&self) -> bool {
        matches!(self, Self::Handles(_))
    }
}
