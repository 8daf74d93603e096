//! States without the feature `seal`: handles that only this process understands.

use std::{
    future::{Ready, ready},
    hash::{BuildHasher, DefaultHasher, Hasher},
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::contents::{Binding, Carried, Placed, StateInfo, Written};
use crate::{
    base::{
        mac::{FixedLengthKey, MacKey},
        random,
    },
    engine::{
        call::{
            call_id::{CallId, Place},
            journal::Journal,
            ledger_time::LedgerTime,
        },
        durable::ledger::LedgerId,
    },
    wire::{protocol::error::RpcError, schema::fingerprint},
};

/// Writes handles, which are states without a journal, and reads only the handles that it wrote.
pub(crate) struct Handles {
    /// Authenticates handles.
    handles: FixedLengthKey<SIGNED>,
    /// Computes the ids of steps, and of calls that have an idempotency key.
    ids: MacKey,
    fingerprints: Seeded,
}

/// A hash with a secret seed, for data of variable length. Clients never see the hash, because it is only an input of
/// MACs.
#[derive(Clone, Debug)]
struct Seeded(DefaultHasher);

/// The length of the part of a handle before the MAC. It contains the call, the ledger, the round, the misses and the
/// expiry in milliseconds, all big-endian. The round is stored as `2 * round`, plus 1 if the first round is 1.
const INFO: usize = 16 + 16 + 2 + 1 + 6;
/// The length of the fingerprint of a request.
const REQUEST: usize = 8;
/// The length of the bytes that the MAC covers: the part before the MAC, and the request that the handle is bound to.
const SIGNED: usize = INFO + REQUEST;
/// The length of the MAC.
const CODE: usize = 32;

/// Prefixes of the two kinds of ids, so that an id of one kind never equals one of the other.
const KEYED: &[u8; 6] = b"keyed ";
const STEP: &[u8; 6] = b"step  ";

impl Handles {
    pub(super) fn write(
        &self,
        placed: Placed<'_>,
        info: StateInfo,
        _journal: &Journal,
    ) -> Ready<Result<Written, RpcError>> {
        ready(Ok(Written { text: self.written(&placed.binding, info), spilled: 0 }))
    }

    /// Verifies a handle and decodes it.
    pub(super) fn open(&self, binding: &Binding<'_>, state: &str) -> Result<(StateInfo, Carried), RpcError> {
        let info = self.verified(binding, state).ok_or_else(RpcError::inauthentic_state)?;
        Ok((info, Carried::Nothing))
    }

    /// A handle contains no journal, so this returns `None`. The journal stays in the process.
    pub(super) fn journal(&self, _: Placed<'_>, _: Place, _: Carried) -> Ready<Result<Option<Journal>, RpcError>> {
        ready(Ok(None))
    }

    fn written(&self, binding: &Binding<'_>, info: StateInfo) -> String {
        let bytes = info.to_bytes();
        let mut handle = [0; INFO + CODE];
        handle[..INFO].copy_from_slice(&bytes);
        handle[INFO..].copy_from_slice(&self.handles.code(&self.signed(&bytes, binding)));
        BASE64_URL_SAFE_NO_PAD.encode(handle)
    }

    /// Reads a handle. Returns `None` if the handle was not written for this request.
    fn verified(&self, binding: &Binding<'_>, state: &str) -> Option<StateInfo> {
        let mut handle = [0; INFO + CODE];
        // Accepts only one encoding of a handle: no padding is allowed, and the unused bits at the end must be zero.
        if BASE64_URL_SAFE_NO_PAD.decode_slice(state, &mut handle) != Ok(handle.len()) {
            return None;
        }
        let (bytes, code) = handle.split_first_chunk::<INFO>()?;
        let info = StateInfo::from_bytes(bytes)?;
        self.handles.verifies(&self.signed(bytes, binding), code.try_into().ok()?).then_some(info)
    }

    /// Returns the bytes that the MAC of a handle covers.
    fn signed(&self, info: &[u8; INFO], binding: &Binding<'_>) -> [u8; SIGNED] {
        let mut signed = [0; SIGNED];
        signed[..INFO].copy_from_slice(info);
        signed[INFO..].copy_from_slice(&self.fingerprint(binding));
        signed
    }

    /// Returns the id of the call for which the client sent this idempotency key.
    pub(super) fn call_of_key(&self, binding: &Binding<'_>, key: &str) -> CallId {
        CallId::from_code(&self.ids.code(&[KEYED, &self.fingerprint(binding), key.as_bytes()]))
    }

    /// Returns a MAC that identifies a step. A client knows the id of its call, but cannot compute the MAC.
    pub(super) fn step_code(&self, call: CallId, step: &str) -> [u8; 32] {
        self.ids.code(&[STEP, &call.to_bytes(), step.as_bytes()])
    }

    /// Returns the fingerprint of a request. All spellings of the same arguments have the same fingerprint.
    fn fingerprint(&self, Binding { tool, arguments, principal }: &Binding<'_>) -> [u8; REQUEST] {
        let arguments = fingerprint(arguments, &self.fingerprints);
        self.fingerprints.hash_one((arguments, tool, principal)).to_be_bytes()
    }
}

impl Default for Handles {
    fn default() -> Self {
        Self { handles: FixedLengthKey::random(), ids: MacKey::random(), fingerprints: Seeded::random() }
    }
}

impl Seeded {
    fn random() -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(&random::bytes::<32>());
        Self(hasher)
    }
}

impl BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        self.0.clone()
    }
}

impl StateInfo {
    fn to_bytes(self) -> [u8; INFO] {
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

    fn from_bytes(bytes: &[u8; INFO]) -> Option<Self> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handle_is_valid_only_for_its_own_request() {
        let handles = Handles::default();
        let binding = Binding { tool: "book", arguments: r#"{"to":"LIS","people":1}"#, principal: None };
        let info = info(7);
        let state = handles.written(&binding, info);
        assert_valid_only_for_its_own_request(&handles, &binding, &state);
        let same = Binding { arguments: r#"{ "people": 1.0, "to": "L\u0049S" }"#, ..binding };
        for binding in [&same, &binding] {
            assert_eq!(handles.verified(binding, &state), Some(info));
        }
    }

    fn info(round: u32) -> StateInfo {
        let place = Place { call: CallId::random(), round, first: 1 };
        StateInfo { ledger: LedgerId::random(), place, misses: 2, expires: LedgerTime(1_800_000_000_123) }
    }

    #[test]
    fn handle_round_trips() {
        for first in [0, 1] {
            let info = info(32);
            let info = StateInfo { place: Place { first, ..info.place }, ..info };
            assert_eq!(StateInfo::from_bytes(&info.to_bytes()), Some(info));
        }
    }

    fn assert_valid_only_for_its_own_request(handles: &Handles, binding: &Binding<'_>, state: &str) {
        let reads = |handles: &Handles, binding: &Binding<'_>, state: &str| handles.verified(binding, state).is_some();
        assert!(!reads(handles, &Binding { tool: "transfer", ..*binding }, state));
        assert!(!reads(handles, &Binding { arguments: r#"{"to":"LIS","people":2}"#, ..*binding }, state));
        assert!(!reads(handles, &Binding { principal: Some("ann"), ..*binding }, state));
        assert!(!reads(handles, &Binding { principal: Some(""), ..*binding }, state));
        for index in 0..state.len() {
            for bit in 0..8 {
                let mut other = state.to_owned().into_bytes();
                other[index] ^= 1 << bit;
                let other = String::from_utf8_lossy(&other).into_owned();
                assert!(!reads(handles, binding, &other), "byte {index}, bit {bit}");
            }
            assert!(!reads(handles, binding, &state[..index]), "the first {index}");
        }
        for other in [state.to_uppercase(), format!("{state}A"), format!("{state}="), format!(" {state}")] {
            assert!(!reads(handles, binding, &other), "{other}");
        }
    }

    #[test]
    fn other_processes_reject_a_handle() {
        let binding = Binding { tool: "book", arguments: "{}", principal: None };
        let state = Handles::default().written(&binding, info(1));
        assert!(Handles::default().verified(&binding, &state).is_none());
    }

    #[test]
    fn step_codes_depend_on_a_secret() {
        let (handles, other) = (Handles::default(), Handles::default());
        let call = CallId::random();
        assert_eq!(handles.step_code(call, "pay"), handles.step_code(call, "pay"));
        assert_ne!(handles.step_code(call, "pay"), handles.step_code(call, "refund"));
        assert_ne!(handles.step_code(call, "pay"), other.step_code(call, "pay"));
    }
}
