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
    ledger::{Claims, LedgerId},
};
use crate::{tool::schema::fingerprint, wire::error::RpcError};

/// How long a client may take for an answer.
pub(crate) const KEPT: Duration = Duration::from_secs(60 * 60);

/// A call, as its rounds and its ledger know it: random, and nobody's guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallId(u128);

/// The round of a call that takes the answers to what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) call: CallId,
    pub(crate) round: u32,
}

/// Where a call goes on.
#[derive(Debug)]
pub(crate) struct Continuation {
    pub(crate) place: Place,
    /// How many requests in a row came back without an answer.
    pub(crate) misses: u8,
    /// Where the state carries it.
    pub(crate) journal: Option<Journal>,
}

/// What a state belongs to: no other request may bring it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) tool: &'a str,
    /// JSON text, however it is spelt.
    pub(crate) arguments: &'a str,
}

/// Writes the states of a server's calls, and reads them.
pub(crate) enum RequestStates {
    #[cfg_attr(all(feature = "seal", not(test)), expect(dead_code, reason = "states are sealed"))]
    Handles(Handles),
    #[cfg(feature = "seal")]
    Sealed(sealed::Sealed),
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

    /// 32 hexadecimal digits: its key in the ledger.
    pub(crate) fn name(self) -> String {
        format!("{:032x}", self.0)
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
        claims: &Claims,
        ledger: LedgerId,
        binding: &Binding<'_>,
        place: Place,
        misses: u8,
        journal: &Journal,
    ) -> Result<String, RpcError> {
        match self {
            Self::Handles(handles) => Ok(handles.write(binding, ledger, place, misses)),
            #[cfg(feature = "seal")]
            Self::Sealed(sealed) => sealed.write(claims, ledger, binding, place, misses, journal).await,
        }
    }

    /// Where a state leads.
    ///
    /// # Errors
    /// The state is not of this request, or is past.
    #[cfg_attr(
        not(feature = "seal"),
        expect(unused_variables, clippy::unused_async, reason = "a handle carries nothing")
    )]
    pub(crate) async fn read(
        &self,
        claims: &Claims,
        ledger: LedgerId,
        binding: &Binding<'_>,
        state: &str,
    ) -> Result<Continuation, RpcError> {
        match self {
            Self::Handles(handles) => match handles.read(binding, state) {
                Some((known, continuation)) if known == ledger => Ok(continuation),
                Some(_) => Err(RpcError::other_ledger()),
                None => Err(RpcError::inauthentic_state()),
            },
            #[cfg(feature = "seal")]
            Self::Sealed(sealed) => sealed.read(claims, ledger, binding, state).await,
        }
    }

    /// Whether a journal stays here, since no state carries it.
    pub(crate) fn keeps_journals(&self) -> bool {
        matches!(self, Self::Handles(_))
    }
}

impl Handles {
    /// `call-round-misses-ledger-proof`, in hexadecimal: whoever made it up or changed it cannot know the proof.
    fn write(&self, binding: &Binding<'_>, ledger: LedgerId, place: Place, misses: u8) -> String {
        let Place { call, round } = place;
        let proof = self.proof(binding, ledger, place, misses);
        format!("{}-{round:x}-{misses:x}-{ledger}-{proof:032x}", call.name())
    }

    /// The ledger that knows the call, and where the call goes on. `None` for what is not of this request, whatever it
    /// is.
    fn read(&self, binding: &Binding<'_>, state: &str) -> Option<(LedgerId, Continuation)> {
        let mut parts = state.split('-');
        let call = CallId(u128::from_str_radix(parts.next()?, 16).ok()?);
        let round = u32::from_str_radix(parts.next()?, 16).ok()?;
        let misses = u8::from_str_radix(parts.next()?, 16).ok()?;
        let ledger = LedgerId::from_bytes(u128::from_str_radix(parts.next()?, 16).ok()?.to_be_bytes());
        let place = Place { call, round };
        // The whole text, so that there is one spelling only.
        let is_ours = self.write(binding, ledger, place, misses) == state;
        is_ours.then_some((ledger, Continuation { place, misses, journal: None }))
    }

    fn proof(&self, binding: &Binding<'_>, ledger: LedgerId, Place { call, round }: Place, misses: u8) -> u128 {
        let arguments = fingerprint(binding.arguments, &self.0);
        let half = |half: u8| u128::from(self.0.hash_one((call, round, misses, ledger, binding.tool, arguments, half)));
        half(0) << 64 | half(1)
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
        let binding = Binding { tool: "book", arguments: r#"{"to":"LIS","people":1}"# };
        let place = Place { call: CallId::random(), round: 7 };
        let ledger = LedgerId::random();
        let state = handles.write(&binding, ledger, place, 2);

        let same = Binding { arguments: r#"{ "people": 1.0, "to": "L\u0049S" }"#, ..binding };
        let (known, back) = handles.read(&same, &state).unwrap();
        assert_eq!((known, back.place, back.misses), (ledger, place, 2));

        assert!(handles.read(&Binding { tool: "transfer", ..binding }, &state).is_none());
        let other = Binding { arguments: r#"{"to":"LIS","people":2}"#, ..binding };
        assert!(handles.read(&other, &state).is_none());
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
