//! What a `requestState` contains, and the request that it is bound to.

use std::{sync::Arc, time::Duration};

use crate::engine::{
    call::{
        call_id::{CallId, Place},
        ledger_time::LedgerTime,
    },
    durable::ledger::{Claims, LedgerId},
    tool::registered::RegisteredTool,
};

/// A decoded `requestState`.
#[derive(Debug)]
pub(crate) struct Continuation {
    pub(crate) place: Place,
    /// The ledger that has the call's record.
    pub(crate) ledger: LedgerId,
    /// The number of requests for this round whose `inputResponses` answered none of the open questions.
    pub(crate) misses: u8,
    /// When the state expires, in the ledger's time. The ledger checks the expiry when the round is claimed.
    pub(crate) expires: LedgerTime,
    pub(crate) carried: Carried,
}

/// The length of an encoded [`StateInfo`]: the call, the ledger, the round, the misses and the expiry in milliseconds, all
/// big-endian. The round is stored as `2 * round`, plus 1 if the first round is 1.
pub(super) const INFO: usize = 16 + 16 + 2 + 1 + 6;

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
    Unopened(String),
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

/// Appends the JSON text of a call's journal.
pub(crate) type PushJournal<'a> = &'a (dyn Fn(&mut Vec<u8>) + Sync);

/// The data that are needed to write or read a `requestState`.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) claims: &'a Arc<Claims>,
    pub(crate) ledger: LedgerId,
    pub(crate) binding: Binding<'a>,
    /// How long the state stays valid.
    pub(crate) keep: Duration,
}

impl StateInfo {
    pub(super) fn to_bytes(self) -> [u8; INFO] {
        let Self { ledger, place: Place { call, round, first }, misses, expires } = self;
        // A call has at most 32 rounds, and six bytes of milliseconds last for 8,000 years.
        let round = u16::try_from(round << 1 | first.min(1)).unwrap_or(u16::MAX);
        let mut bytes = [0; INFO];
        bytes[..16].copy_from_slice(&call.to_bytes());
        bytes[16..32].copy_from_slice(&ledger.to_bytes());
        bytes[32..34].copy_from_slice(&round.to_be_bytes());
        bytes[34] = misses;
        bytes[35..].copy_from_slice(&expires.0.to_be_bytes()[2..]);
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; INFO]) -> Option<Self> {
        let (call, rest) = bytes.split_first_chunk()?;
        let (ledger, rest) = rest.split_first_chunk()?;
        let (round, rest) = rest.split_first_chunk()?;
        let ([misses], expires) = rest.split_first_chunk()?;
        let round = u32::from(u16::from_be_bytes(*round));
        Some(Self {
            ledger: LedgerId::from_bytes(*ledger),
            place: Place { call: CallId::from_bytes(*call), round: round >> 1, first: round & 1 },
            misses: *misses,
            expires: LedgerTime(expires.iter().fold(0, |time, byte| time << 8 | u64::from(*byte))),
        })
    }
}

impl<'a> Binding<'a> {
    pub(crate) fn new(tool: &'a RegisteredTool, arguments: &'a str, principal: Option<&'a str>) -> Self {
        Self { tool: &tool.unique_name, arguments, principal }
    }
}

impl<'a> Placed<'a> {
    pub(crate) fn new(
        claims: &'a Arc<Claims>,
        ledger: LedgerId,
        tool: &'a RegisteredTool,
        binding: Binding<'a>,
    ) -> Self {
        Self { claims, ledger, binding, keep: tool.definition.states_kept() }
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
