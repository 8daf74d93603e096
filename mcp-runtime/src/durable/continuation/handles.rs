//! States without the feature `seal`: handles that this process alone understands.

use std::{
    future::{Ready, ready},
    hash::{BuildHasher, DefaultHasher, Hasher},
    sync::OnceLock,
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::{
    Binding, Carried, Continuation, Cover, Journal, LedgerId, LedgerTime, Placed, RpcError, Said, Written,
    recent::RecentStates,
};
use crate::{
    call::{call_id::CallId, mac::MacKey, place::Place},
    random,
    schema::fingerprint,
};

/// Writes handles, and reads those that it has written.
#[derive(Default)]
pub(crate) struct Handles {
    /// Drawn for the first handle: most servers never write one.
    secret: OnceLock<Box<Secret>>,
    recent: RecentStates,
}

struct Secret {
    key: MacKey,
    fingerprints: Seeded,
}

/// A hash for what has no fixed length: its 64 bits never leave the process but under a code.
#[derive(Clone, Debug)]
struct Seeded(DefaultHasher);

/// What a handle says stands there in clear, big-endian: call and ledger; the round, doubled, and 1 more if the first one
/// is 1; misses; the milliseconds of its end. With what its code covers besides, that is one block of the hash, to the
/// byte.
const SAID: usize = 16 + 16 + 2 + 1 + 6;
/// The code of that and of the request.
const CODE: usize = 32;

/// What is before each message for the key, so that no code stands for another message.
const HANDLE: &[u8; 6] = b"handle";
const KEYED: &[u8; 6] = b"keyed ";
const STEP: &[u8; 6] = b"step  ";

impl Handles {
    pub(super) fn write(
        &self,
        Placed { ledger, binding, .. }: Placed<'_>,
        place: Place,
        misses: u8,
        expires: LedgerTime,
        _journal: &Journal,
    ) -> Ready<Result<Written, RpcError>> {
        let said = Said { ledger, place, misses, expires };
        ready(Ok(Written { text: self.written(binding, said), spilled: 0 }))
    }

    pub(super) fn read(
        &self,
        Placed { ledger, binding, .. }: Placed<'_>,
        anywhere: bool,
        state: &str,
    ) -> Result<Continuation, RpcError> {
        let said = self.said(binding, state).ok_or_else(RpcError::inauthentic_state)?;
        if said.ledger != ledger && !anywhere {
            return Err(RpcError::other_ledger());
        }
        let Said { place, misses, expires, .. } = said;
        Ok(Continuation { place, misses, expires, carried: Carried::Nothing })
    }

    /// None: the journal stays in the process.
    pub(super) fn journal(&self, _: Placed<'_>, _: Place, _: Carried) -> Ready<Result<Option<Journal>, RpcError>> {
        ready(Ok(None))
    }

    fn written(&self, binding: &Binding<'_>, said: Said) -> String {
        let bytes = said.to_bytes();
        let secret = self.secret();
        let request = secret.fingerprint(binding);
        let mut handle = [0; SAID + CODE];
        handle[..SAID].copy_from_slice(&bytes);
        handle[SAID..].copy_from_slice(&secret.key.code(&[HANDLE, &bytes, &request]));
        let state = BASE64_URL_SAFE_NO_PAD.encode(handle);
        self.recent.keep(&state, binding, said);
        state
    }

    /// What a handle says. `None` for what is not of this request, whatever it is.
    fn said(&self, binding: &Binding<'_>, state: &str) -> Option<Said> {
        self.recent.take(state, binding).map(|(_, said)| said).or_else(|| self.verified(binding, state))
    }

    fn verified(&self, binding: &Binding<'_>, state: &str) -> Option<Said> {
        let mut handle = [0; SAID + CODE];
        // One spelling only: without padding, and no bits behind the last byte.
        if BASE64_URL_SAFE_NO_PAD.decode_slice(state, &mut handle) != Ok(handle.len()) {
            return None;
        }
        let (bytes, code) = handle.split_first_chunk::<SAID>()?;
        let said = Said::from_bytes(bytes)?;
        let secret = self.secret();
        let request = secret.fingerprint(binding);
        secret.key.verifies(&[HANDLE, bytes, &request], code.try_into().ok()?).then_some(said)
    }

    pub(super) fn forget(&self) {
        self.recent.clear();
    }

    /// None: there are no keys.
    pub(super) fn cover(&self) -> Option<Cover> {
        None
    }

    /// The call that a client's key stands for.
    pub(super) fn call_of_key(&self, binding: &Binding<'_>, key: &str) -> CallId {
        let secret = self.secret();
        CallId::from_code(&secret.key.code(&[KEYED, &secret.fingerprint(binding), key.as_bytes()]))
    }

    /// What stands for a step of a call. Its client knows the call's id, and not this.
    pub(super) fn step_code(&self, call: CallId, step: &str) -> [u8; 32] {
        self.secret().key.code(&[STEP, &call.to_bytes(), step.as_bytes()])
    }

    fn secret(&self) -> &Secret {
        self.secret.get_or_init(|| Box::new(Secret { key: MacKey::random(), fingerprints: Seeded::random() }))
    }
}

/// The states of a server are handles where it has no keys: there is nothing to set.
#[cfg(not(feature = "seal"))]
impl Handles {
    pub(crate) fn complete(self, _is_ledger_shared: bool, _problems: &mut Vec<String>) -> super::RequestStates {
        super::RequestStates::Handles(self)
    }
}

impl Secret {
    /// The same for the same request, however its arguments are spelt.
    fn fingerprint(&self, Binding { tool, arguments, principal }: &Binding<'_>) -> [u8; 8] {
        let arguments = fingerprint(arguments, &self.fingerprints);
        self.fingerprints.hash_one((arguments, tool, principal)).to_be_bytes()
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

impl Said {
    fn to_bytes(self) -> [u8; SAID] {
        let Self { ledger, place: Place { call, round, first }, misses, expires } = self;
        // A call has no more than a few rounds, and no time has more than six bytes for the next 8,000 years.
        let round = u16::try_from(round << 1 | first.min(1)).unwrap_or(u16::MAX);
        let mut bytes = [0; SAID];
        bytes[..16].copy_from_slice(&call.to_bytes());
        bytes[16..32].copy_from_slice(&ledger.to_bytes());
        bytes[32..34].copy_from_slice(&round.to_be_bytes());
        bytes[34] = misses;
        bytes[35..].copy_from_slice(&expires.0.to_be_bytes()[2..]);
        bytes
    }

    fn from_bytes(bytes: &[u8; SAID]) -> Option<Self> {
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
    fn a_handle_is_good_for_its_own_request_only() {
        let handles = Handles::default();
        let binding = Binding { tool: "book", arguments: r#"{"to":"LIS","people":1}"#, principal: None };
        let said = said(7);
        let state = handles.written(&binding, said);
        is_good_for_its_own_request_only(&handles, &binding, &state);
        let same = Binding { arguments: r#"{ "people": 1.0, "to": "L\u0049S" }"#, ..binding };
        // By its code; then by what was kept of it; then by its code again.
        for binding in [&same, &binding, &binding] {
            assert_eq!(handles.said(binding, &state), Some(said));
        }
        is_good_for_its_own_request_only(&handles, &binding, &state);
    }

    fn said(round: u32) -> Said {
        let place = Place { call: CallId::random(), round, first: 1 };
        Said { ledger: LedgerId::random(), place, misses: 2, expires: LedgerTime(1_800_000_000_123) }
    }

    #[test]
    fn a_handle_says_what_it_was_told() {
        for first in [0, 1] {
            let said = said(32);
            let said = Said { place: Place { first, ..said.place }, ..said };
            assert_eq!(Said::from_bytes(&said.to_bytes()), Some(said));
        }
    }

    fn is_good_for_its_own_request_only(handles: &Handles, binding: &Binding<'_>, state: &str) {
        let reads = |handles: &Handles, binding: &Binding<'_>, state: &str| handles.said(binding, state).is_some();
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
    fn another_process_does_not_know_a_handle() {
        let binding = Binding { tool: "book", arguments: "{}", principal: None };
        let state = Handles::default().written(&binding, said(1));
        assert!(Handles::default().said(&binding, &state).is_none());
    }

    #[test]
    fn a_client_that_knows_its_call_cannot_compute_the_keys_of_its_steps() {
        let (handles, other) = (Handles::default(), Handles::default());
        let call = CallId::random();
        assert_eq!(handles.step_code(call, "pay"), handles.step_code(call, "pay"));
        assert_ne!(handles.step_code(call, "pay"), handles.step_code(call, "refund"));
        assert_ne!(handles.step_code(call, "pay"), other.step_code(call, "pay"));
    }
}
