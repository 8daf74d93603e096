//! What leads a client back to its call: the `requestState` of a round that asked.
//!
//! With the feature `seal` a state carries its call's journal, sealed: any instance with the keys can go on. Without it
//! a state is a handle, and the journal stays in the process.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

use super::{
    journal::Journal,
    ledger::{Claims, Cover, LedgerId},
};
use crate::{tool::schema::fingerprint, wire::error::RpcError};

/// How long a client may take for an answer.
pub(crate) const KEPT: Duration = Duration::from_secs(60 * 60);

/// How long a future is kept.
pub(crate) const FUTURE_KEPT: Duration = Duration::from_secs(15 * 60);

/// A call, as its rounds and its ledger know it: random, and nobody's guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallId(u128);

/// The round of a call that takes the answers to what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) call: CallId,
    pub(crate) round: u32,
    /// The round with which its record begins: 1, or 0 where its client gave the call a key.
    pub(crate) first: u32,
}

/// Where a call goes on.
#[derive(Debug)]
pub(crate) struct Continuation {
    pub(crate) place: Place,
    /// How many requests in a row came back without an answer.
    pub(crate) misses: u8,
    pub(crate) carried: Carried,
}

/// The journal of a call, as its state carries it. It is read where the call is not here.
#[derive(Debug)]
pub(crate) enum Carried {
    Nothing,
    /// As JSON text, behind so many bytes.
    #[cfg(feature = "seal")]
    Here(Vec<u8>, usize),
    #[cfg(feature = "seal")]
    Spilled(Spilled),
}

/// A journal in the ledger: its random name, and the SHA-256 of the bytes there.
#[cfg(feature = "seal")]
#[derive(Debug)]
pub(crate) struct Spilled {
    name: CallId,
    digest: [u8; 32],
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

/// Writes the states of a server's calls, and reads them.
pub(crate) enum RequestStates {
    #[cfg_attr(all(feature = "seal", not(test)), expect(dead_code, reason = "states are sealed"))]
    Handles(Handles),
    #[cfg(feature = "seal")]
    Sealed(std::sync::Arc<sealed::Sealed>),
}

/// States that this process alone understands.
#[derive(Debug, Default)]
pub(crate) struct Handles(RandomState);

impl CallId {
    pub(crate) fn random() -> Self {
        // Keyed by the operating system's randomness.
        let random = RandomState::new();
        Self(u128::from(random.hash_one(0)) << 64 | u128::from(random.hash_one(1)))
    }

    /// A UUID that stands for a step of this call, and for no other (version 8, RFC 9562).
    pub(crate) fn key_of(self, step: &str) -> String {
        // Fowler, Noll and Vo's hash (FNV-1a, 128 bits), begun with the id: nobody forges what is random.
        let hash =
            |hash: u128, byte: u8| (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        let basis = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        let bits = self.0.to_le_bytes().into_iter().chain(step.bytes()).fold(basis, hash);
        let bits = bits & !(0xf << 76 | 0x3 << 62) | 0x8 << 76 | 0x2 << 62;
        let digits = format!("{bits:032x}");
        [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]).join("-")
    }

    /// 32 hexadecimal digits: its key in the ledger.
    pub(crate) fn name(self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = self.0.to_be_bytes().into_iter().flat_map(|byte| [byte >> 4, byte & 15]);
        // Many times faster than `{:032x}`, and made for every round of every call.
        let mut name = String::with_capacity(32);
        name.extend(digits.map(|digit| char::from(DIGITS[usize::from(digit)])));
        name
    }
}

impl RequestStates {
    /// The state of a place.
    ///
    /// # Errors
    /// The journal is too large to be carried, and the ledger does not keep it either.
    #[cfg_attr(
        not(feature = "seal"),
        expect(unused_variables, clippy::unused_async, reason = "a handle carries nothing")
    )]
    pub(crate) async fn write(
        &self,
        placed: Placed<'_>,
        place: Place,
        misses: u8,
        journal: &Journal,
    ) -> Result<String, RpcError> {
        match self {
            Self::Handles(handles) => Ok(handles.write(placed.binding, placed.ledger, place, misses)),
            #[cfg(feature = "seal")]
            Self::Sealed(sealed) => sealed.write(placed, place, misses, journal).await,
        }
    }

    /// Where a state leads. `anywhere`: it may be from another ledger.
    ///
    /// # Errors
    /// The state is not of this request, or is past.
    pub(crate) fn read(&self, placed: Placed<'_>, anywhere: bool, state: &str) -> Result<Continuation, RpcError> {
        match self {
            Self::Handles(handles) => match handles.read(placed.binding, state) {
                Some((known, continuation)) if anywhere || known == placed.ledger => Ok(continuation),
                Some(_) => Err(RpcError::other_ledger()),
                None => Err(RpcError::inauthentic_state()),
            },
            #[cfg(feature = "seal")]
            Self::Sealed(sealed) => sealed.read(placed, anywhere, state),
        }
    }

    /// The journal that came with a state, if one did.
    ///
    /// # Errors
    /// It was left with the ledger, which does not have it any more.
    #[cfg_attr(
        not(feature = "seal"),
        expect(unused_variables, clippy::unused_async, reason = "a handle carries nothing")
    )]
    pub(crate) async fn journal(
        &self,
        placed: Placed<'_>,
        place: Place,
        carried: Carried,
    ) -> Result<Option<Journal>, RpcError> {
        match self {
            Self::Handles(_) => Ok(None),
            #[cfg(feature = "seal")]
            Self::Sealed(sealed) => sealed.journal(placed, place, carried).await,
        }
    }

    /// Where a call begins that has a key from its client: the same for the same request with the same key.
    pub(crate) fn place_of_key(&self, binding: &Binding<'_>, key: &str) -> Place {
        let call = match self {
            Self::Handles(handles) => handles.call_of_key(binding, key),
            #[cfg(feature = "seal")]
            Self::Sealed(_) => sealed::call_of_key(binding, key),
        };
        Place { call, round: 0, first: 0 }
    }

    /// What covers the outcomes that leave the process, where there are keys for it.
    pub(crate) fn cover(&self) -> Option<Cover> {
        match self {
            Self::Handles(_) => None,
            #[cfg(feature = "seal")]
            Self::Sealed(sealed) => Some(Cover::clone_of(sealed)),
        }
    }

    /// Whether a journal stays here, since no state carries it.
    pub(crate) fn keeps_journals(&self) -> bool {
        matches!(self, Self::Handles(_))
    }
}

impl Handles {
    /// `call-round-first-misses-ledger-proof`, in hexadecimal: whoever made it up or changed it cannot know the proof.
    fn write(&self, binding: &Binding<'_>, ledger: LedgerId, place: Place, misses: u8) -> String {
        let Place { call, round, first } = place;
        let proof = self.proof(binding, ledger, place, misses);
        format!("{}-{round:x}-{first:x}-{misses:x}-{ledger}-{proof:032x}", call.name())
    }

    /// The ledger that knows the call, and where the call goes on. `None` for what is not of this request, whatever it
    /// is.
    fn read(&self, binding: &Binding<'_>, state: &str) -> Option<(LedgerId, Continuation)> {
        let mut parts = state.split('-');
        let call = CallId(u128::from_str_radix(parts.next()?, 16).ok()?);
        let round = u32::from_str_radix(parts.next()?, 16).ok()?;
        let first = u32::from_str_radix(parts.next()?, 16).ok()?;
        let misses = u8::from_str_radix(parts.next()?, 16).ok()?;
        let ledger = LedgerId::from_bytes(u128::from_str_radix(parts.next()?, 16).ok()?.to_be_bytes());
        let place = Place { call, round, first };
        // The whole text, so that there is one spelling only.
        let is_ours = self.write(binding, ledger, place, misses) == state;
        is_ours.then_some((ledger, Continuation { place, misses, carried: Carried::Nothing }))
    }

    fn proof(&self, binding: &Binding<'_>, ledger: LedgerId, place: Place, misses: u8) -> u128 {
        let Binding { tool, arguments, principal } = binding;
        let arguments = fingerprint(arguments, &self.0);
        let of_place = (place.call, place.round, place.first, misses, ledger);
        let half = |half: u8| u128::from(self.0.hash_one((of_place, tool, arguments, principal, half)));
        half(0) << 64 | half(1)
    }

    fn call_of_key(&self, binding: &Binding<'_>, key: &str) -> CallId {
        let Binding { tool, arguments, principal } = binding;
        let arguments = fingerprint(arguments, &self.0);
        let half = |half: u8| u128::from(self.0.hash_one(("key", key, tool, arguments, principal, half)));
        CallId(half(0) << 64 | half(1))
    }
}

#[cfg(feature = "seal")]
pub(crate) mod sealed;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_good_for_its_own_request_only() {
        let handles = Handles::default();
        let binding = Binding { tool: "book", arguments: r#"{"to":"LIS","people":1}"#, principal: None };
        let place = Place { call: CallId::random(), round: 7, first: 1 };
        let ledger = LedgerId::random();
        let state = handles.write(&binding, ledger, place, 2);

        let same = Binding { arguments: r#"{ "people": 1.0, "to": "L\u0049S" }"#, ..binding };
        let (known, back) = handles.read(&same, &state).unwrap();
        assert_eq!((known, back.place, back.misses), (ledger, place, 2));

        assert!(handles.read(&Binding { tool: "transfer", ..binding }, &state).is_none());
        let other = Binding { arguments: r#"{"to":"LIS","people":2}"#, ..binding };
        assert!(handles.read(&other, &state).is_none());
        assert!(handles.read(&Binding { principal: Some("ann"), ..binding }, &state).is_none());
        assert!(Handles::default().read(&binding, &state).is_none());
        for index in 0..state.len() {
            let mut other = state.clone().into_bytes();
            other[index] ^= 1;
            assert!(handles.read(&binding, &String::from_utf8(other).unwrap()).is_none(), "byte {index}");
            assert!(handles.read(&binding, &state[..index]).is_none(), "the first {index}");
        }
        assert!(handles.read(&binding, &state.to_uppercase()).is_none());
        assert!(handles.read(&binding, &format!("{state}-")).is_none());
    }
}
