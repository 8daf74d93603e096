//! States that are not sealed: handles that only this process understands.

use std::{
    future::{Ready, ready},
    hash::{BuildHasher, DefaultHasher, Hasher},
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::contents::{Binding, Carried, INFO, Placed, PushJournal, StateInfo, Written};
use crate::{
    base::{
        mac::{MacKey, TAG, TagKey},
        random,
    },
    engine::call::{
        call_id::{CallId, Place},
        journal::Journal,
    },
    wire::protocol::{canonical::CanonicalArguments, error::RpcError},
};

/// Writes handles, which are states without a journal, and reads only the handles that it wrote.
pub(crate) struct Handles {
    /// Authenticates handles.
    tags: TagKey,
    /// Computes the ids of steps, and of calls that have an idempotency key.
    ids: MacKey,
    fingerprints: Seeded,
    /// Masks the number of a call, so that a handle does not show how many calls the server has had.
    masks: Seeded,
}

/// A hash with a secret seed. Clients never see the hash: it is an input of other codes, or the mask of a number that
/// clients do not know.
#[derive(Clone, Debug)]
struct Seeded(DefaultHasher);

/// The length of the fingerprint of a request.
const REQUEST: usize = 8;
/// The length of a handle before it is encoded.
const HANDLE: usize = INFO + TAG;
/// The length of each half of a call's id.
const NUMBER: usize = 8;

/// Prefixes of the two kinds of ids, so that an id of one kind never equals one of the other.
const KEYED: &[u8; 6] = b"keyed ";
const STEP: &[u8; 6] = b"step  ";

impl Handles {
    pub(super) fn write(
        &self,
        placed: Placed<'_>,
        info: StateInfo,
        _journal: Option<PushJournal<'_>>,
    ) -> Ready<Result<Written, RpcError>> {
        ready(Ok(Written { text: self.written(&placed.binding, info), spilled: 0 }))
    }

    /// Verifies a handle and decodes it.
    pub(super) fn open(&self, binding: &Binding<'_>, state: &str) -> Result<(StateInfo, Carried), RpcError> {
        let info = self.verified(binding, state).ok_or_else(RpcError::inauthentic_state)?;
        Ok((info, Carried::Nothing))
    }

    /// A handle contains no journal, so this returns `None`. The journal stays in the process.
    pub(super) fn journal(&self, _: Placed<'_>, _: Place, _: &Carried) -> Ready<Result<Option<Journal>, RpcError>> {
        ready(Ok(None))
    }

    fn written(&self, binding: &Binding<'_>, info: StateInfo) -> String {
        let mut bytes = info.to_bytes();
        self.mask(&mut bytes);
        let mut handle = [0; HANDLE];
        handle[..INFO].copy_from_slice(&bytes);
        handle[INFO..].copy_from_slice(&self.tags.tag(&Self::tagged(&bytes, binding)));
        BASE64_URL_SAFE_NO_PAD.encode(handle)
    }

    /// Reads a handle. Returns `None` if the handle was not written for this request.
    fn verified(&self, binding: &Binding<'_>, state: &str) -> Option<StateInfo> {
        let mut handle = [0; HANDLE];
        // Accepts only one encoding of a handle: no padding is allowed, and the unused bits at the end must be zero.
        if BASE64_URL_SAFE_NO_PAD.decode_slice(state, &mut handle) != Ok(handle.len()) {
            return None;
        }
        let (bytes, tag) = handle.split_first_chunk_mut::<INFO>()?;
        if !self.tags.verifies(&Self::tagged(bytes, binding), (&*tag).try_into().ok()?) {
            return None;
        }
        self.mask(bytes);
        StateInfo::from_bytes(bytes)
    }

    /// Masks the number of the call, which is the first half of its id, with a hash of the random half. Applied twice,
    /// restores the number.
    fn mask(&self, info: &mut [u8; INFO]) {
        let (number, rest) = info.split_at_mut(NUMBER);
        let mask = self.masks.hash_one(&rest[..NUMBER]).to_be_bytes();
        number.iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
    }

    /// Returns the bytes that the tag of a handle covers: the part of the handle before the tag, and the request that the
    /// handle is bound to. Two different requests have different bytes.
    fn tagged(info: &[u8; INFO], &Binding { tool, arguments, principal }: &Binding<'_>) -> Vec<u8> {
        let mut tagged = Vec::with_capacity(INFO + 64 + tool.len() + arguments.len());
        tagged.extend_from_slice(info);
        tagged.push(principal.is_some().into());
        for text in [tool, principal.unwrap_or_default()] {
            tagged.extend_from_slice(&(text.len() as u64).to_le_bytes());
            tagged.extend_from_slice(text.as_bytes());
        }
        CanonicalArguments::push(&mut tagged, arguments);
        tagged
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
        self.fingerprints.hash_one((CanonicalArguments::of(arguments), tool, principal)).to_be_bytes()
    }
}

impl Default for Handles {
    fn default() -> Self {
        Self { tags: TagKey::random(), ids: MacKey::random(), fingerprints: Seeded::random(), masks: Seeded::random() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{call::ledger_time::LedgerTime, durable::ledger::LedgerId};

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

    #[test]
    fn handle_does_not_show_the_number_of_its_call() {
        let handles = Handles::default();
        let binding = Binding { tool: "book", arguments: "{}", principal: None };
        let shown = |number: u64| {
            let info = info(1);
            let call = CallId(number, CallId::random().1);
            let state = handles.written(&binding, StateInfo { place: Place { call, ..info.place }, ..info });
            assert_eq!(handles.verified(&binding, &state).map(|info| info.place.call), Some(call));
            let bytes = BASE64_URL_SAFE_NO_PAD.decode(state).expect("base64");
            u64::from_be_bytes(bytes[..NUMBER].try_into().expect("eight bytes"))
        };
        // The masks of consecutive calls have nothing in common. By chance, the upper halves are equal once in 2^32.
        assert_ne!(shown(7) >> 32, shown(8) >> 32);
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
