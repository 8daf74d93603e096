//! States without the feature `seal`: handles that this process alone understands.

use std::{
    hash::{BuildHasher, DefaultHasher, Hasher},
    sync::OnceLock,
};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::{Binding, CallId, Carried, Continuation, LedgerId, Place};
use crate::{
    call::mac::{self, MacKey},
    random,
    tool::schema::fingerprint,
};

/// Writes handles, and reads those that it has written.
#[derive(Debug, Default)]
pub(crate) struct Handles(OnceLock<Box<Secret>>);

/// Drawn for the first handle: most servers never write one.
#[derive(Debug)]
struct Secret {
    key: MacKey,
    fingerprints: Seeded,
}

/// A hash for what has no fixed length: its 64 bits never leave the process but under a code.
#[derive(Clone, Debug)]
struct Seeded(DefaultHasher);

/// The last handle of a call, as it is kept with it: to know it again takes no code.
#[derive(Clone, Copy)]
pub(crate) struct Issued {
    handle: [u8; SAID + CODE],
    request: [u8; 8],
}

/// What a handle says, in clear: the call, the ledger that knows it, round, first round, misses, big-endian.
const SAID: usize = 16 + 16 + 4 + 4 + 1;
/// The code of that and of the request.
const CODE: usize = 32;

/// What is before each message for the key, so that no code stands for another message.
const HANDLE: &[u8; 6] = b"handle";
const KEYED: &[u8; 6] = b"keyed ";
const STEP: &[u8; 6] = b"step  ";

impl Handles {
    pub(super) fn write(&self, binding: &Binding<'_>, ledger: LedgerId, place: Place, misses: u8) -> (String, Issued) {
        let said = say(ledger, place, misses);
        let secret = self.secret();
        let request = secret.fingerprint(binding);
        let mut handle = [0; SAID + CODE];
        handle[..SAID].copy_from_slice(&said);
        handle[SAID..].copy_from_slice(&secret.key.code(&[HANDLE, &said, &request]));
        (BASE64_URL_SAFE_NO_PAD.encode(handle), Issued { handle, request })
    }

    /// The ledger that knows the call, and where the call goes on. `None` for what is not of this request, whatever it
    /// is. `issued` gives what is kept with a call.
    pub(super) fn read(
        &self,
        binding: &Binding<'_>,
        state: &str,
        issued: impl FnOnce(Place) -> Option<Issued>,
    ) -> Option<(LedgerId, Continuation)> {
        let mut handle = [0; SAID + CODE];
        // One spelling only: without padding, and no bits behind the last byte.
        if BASE64_URL_SAFE_NO_PAD.decode_slice(state, &mut handle) != Ok(handle.len()) {
            return None;
        }
        let (said, code) = handle.split_first_chunk::<SAID>()?;
        let (ledger, continuation) = hear(said)?;
        let secret = self.secret();
        let request = secret.fingerprint(binding);
        let is_last = |issued: Issued| mac::are_same(&issued.handle, &handle) && issued.request == request;
        let is_ours = issued(continuation.place).is_some_and(is_last)
            || secret.key.verifies(&[HANDLE, said, &request], code.try_into().ok()?);
        is_ours.then_some((ledger, continuation))
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
        self.0.get_or_init(|| Box::new(Secret { key: MacKey::random(), fingerprints: Seeded::random() }))
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

fn say(ledger: LedgerId, Place { call, round, first }: Place, misses: u8) -> [u8; SAID] {
    let mut said = [0; SAID];
    said[..16].copy_from_slice(&call.to_bytes());
    said[16..32].copy_from_slice(&ledger.to_bytes());
    said[32..36].copy_from_slice(&round.to_be_bytes());
    said[36..40].copy_from_slice(&first.to_be_bytes());
    said[40] = misses;
    said
}

fn hear(said: &[u8; SAID]) -> Option<(LedgerId, Continuation)> {
    let (call, rest) = said.split_first_chunk()?;
    let (ledger, rest) = rest.split_first_chunk()?;
    let (round, rest) = rest.split_first_chunk()?;
    let (first, rest) = rest.split_first_chunk()?;
    let place =
        Place { call: CallId::from_bytes(*call), round: u32::from_be_bytes(*round), first: u32::from_be_bytes(*first) };
    let continuation = Continuation { place, misses: *rest.first()?, carried: Carried::Nothing };
    Some((LedgerId::from_bytes(*ledger), continuation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_good_for_its_own_request_only() {
        let handles = Handles::default();
        let binding = Binding { tool: "book", arguments: r#"{"to":"LIS","people":1}"#, principal: None };
        let place = Place { call: CallId::random(), round: 7, first: 1 };
        let ledger = LedgerId::random();
        let (state, issued) = handles.write(&binding, ledger, place, 2);
        let (_, earlier) = handles.write(&binding, ledger, Place { round: 6, ..place }, 0);
        for kept in [None, Some(issued), Some(earlier)] {
            is_good_for_its_own_request_only(&handles, &binding, &state, kept);
            let same = Binding { arguments: r#"{ "people": 1.0, "to": "L\u0049S" }"#, ..binding };
            let (known, back) = handles.read(&same, &state, |_| kept).unwrap();
            assert_eq!((known, back.place, back.misses), (ledger, place, 2));
        }
    }

    fn is_good_for_its_own_request_only(handles: &Handles, binding: &Binding<'_>, state: &str, kept: Option<Issued>) {
        let reads =
            |handles: &Handles, binding: &Binding<'_>, state: &str| handles.read(binding, state, |_| kept).is_some();
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
        let place = Place { call: CallId::random(), round: 1, first: 1 };
        let (state, _) = Handles::default().write(&binding, LedgerId::random(), place, 0);
        assert!(Handles::default().read(&binding, &state, |_| None).is_none());
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
