//! What leads a client back to its call: the `requestState` of a round that asked.

use std::{
    hash::{BuildHasher, RandomState},
    time::{Duration, SystemTime},
};

use super::{journal::Journal, ledger::LedgerId};
use crate::tool::schema::fingerprint;

/// How long a client may take for an answer.
pub(crate) const KEPT: Duration = Duration::from_secs(60 * 60);

/// A call, as its rounds and its ledger know it: random, and nobody's guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallId(u128);

/// Where a call goes on.
#[derive(Debug)]
pub(crate) struct Continuation {
    pub(crate) call: CallId,
    /// The round that takes the answers.
    pub(crate) round: u32,
    /// The ledger that knows the call.
    pub(crate) ledger: LedgerId,
    pub(crate) expires: SystemTime,
    /// How many requests in a row came back without an answer.
    pub(crate) misses: u8,
    /// Nothing where the state is but a handle: then the call lives in the process that made it.
    pub(crate) journal: Option<Journal>,
}

/// What a state belongs to: no other request may bring it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) tool: &'a str,
    /// JSON text, however it is spelt.
    pub(crate) arguments: &'a str,
}

/// Writes states and reads them: handles that this process alone understands.
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

impl Handles {
    /// `call-round-misses-proof`, in hexadecimal: whoever made it up or changed it cannot know the proof.
    pub(crate) fn write(&self, binding: &Binding<'_>, continuation: &Continuation) -> String {
        let Continuation { call, round, misses, .. } = *continuation;
        format!("{}-{round:x}-{misses:x}-{:032x}", call.name(), self.proof(binding, call, round, misses))
    }

    /// `None` for what is not of this request, whatever it is.
    pub(crate) fn read(&self, binding: &Binding<'_>, state: &str, ledger: LedgerId) -> Option<Continuation> {
        let mut parts = state.split('-');
        let call = CallId(u128::from_str_radix(parts.next()?, 16).ok()?);
        let round = u32::from_str_radix(parts.next()?, 16).ok()?;
        let misses = u8::from_str_radix(parts.next()?, 16).ok()?;
        let continuation =
            Continuation { call, round, ledger, expires: SystemTime::now() + KEPT, misses, journal: None };
        // The whole text, so that there is one spelling only.
        (self.write(binding, &continuation) == state).then_some(continuation)
    }

    fn proof(&self, binding: &Binding<'_>, call: CallId, round: u32, misses: u8) -> u128 {
        let arguments = fingerprint(binding.arguments, &self.0);
        let half = |half: u8| u128::from(self.0.hash_one((call, round, misses, binding.tool, arguments, half)));
        half(0) << 64 | half(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn continuation(round: u32, misses: u8) -> Continuation {
        let expires = SystemTime::now() + KEPT;
        Continuation { call: CallId::random(), round, ledger: LedgerId::random(), expires, misses, journal: None }
    }

    #[test]
    fn a_handle_is_good_for_its_own_request_only() {
        let handles = Handles::default();
        let binding = Binding { tool: "book", arguments: r#"{"to":"LIS","people":1}"# };
        let state = handles.write(&binding, &continuation(7, 2));
        let read = |binding: &Binding<'_>, state: &str| handles.read(binding, state, LedgerId::random());

        let same = Binding { arguments: r#"{ "people": 1.0, "to": "L\u0049S" }"#, ..binding };
        let back = read(&same, &state).unwrap();
        assert_eq!((back.round, back.misses), (7, 2));

        assert!(read(&Binding { tool: "transfer", ..binding }, &state).is_none());
        assert!(read(&Binding { arguments: r#"{"to":"LIS","people":2}"#, ..binding }, &state).is_none());
        assert!(Handles::default().read(&binding, &state, LedgerId::random()).is_none());
        for index in 0..state.len() {
            let mut other = state.clone().into_bytes();
            other[index] ^= 1;
            assert!(read(&binding, &String::from_utf8(other).unwrap()).is_none(), "byte {index}");
            assert!(read(&binding, &state[..index]).is_none(), "the first {index}");
        }
        assert!(read(&binding, &state.to_uppercase()).is_none());
        assert!(read(&binding, &format!("{state}-")).is_none());
    }
}
