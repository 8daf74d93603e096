//! The ids of calls, and of their rounds.

use std::sync::{
    OnceLock,
    atomic::{AtomicU64, Ordering},
};

use crate::base::{hex::hex, random};

/// The id of a call. The ledger and the `requestState`s of the call contain this id. It has 128 bits, and the last 64
/// bits cannot be guessed. It is stored as two `u64`s, because a `u128` is aligned to 16 bytes and would make every
/// struct with an id larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CallId(pub(crate) u64, pub(crate) u64);

/// A map with call ids as keys.
pub(crate) type ByCall<T> = foldhash::HashMap<CallId, T>;

impl CallId {
    /// The length of the key of a call in the ledger.
    pub(crate) const NAME: usize = 32;

    /// Creates the id of a new call. The first half is a number. It starts at a random value and goes up by one with
    /// each call of this process, so that a ledger can remember finished calls in bitmaps. The second half is random.
    pub(crate) fn new() -> Self {
        static NEXT: OnceLock<AtomicU64> = OnceLock::new();
        let next = NEXT.get_or_init(|| AtomicU64::new(u64::from_ne_bytes(random::bytes())));
        Self(next.fetch_add(1, Ordering::Relaxed), u64::from_ne_bytes(random::buffered()))
    }

    /// Creates an id of 128 random bits.
    pub(crate) fn random() -> Self {
        Self::from_bytes(random::bytes())
    }

    pub(crate) fn from_bytes(bytes: [u8; 16]) -> Self {
        let bits = u128::from_be_bytes(bytes);
        Self((bits >> 64) as u64, bits as u64)
    }

    pub(crate) fn to_bytes(self) -> [u8; 16] {
        (u128::from(self.0) << 64 | u128::from(self.1)).to_be_bytes()
    }

    /// Creates an id from the first half of a MAC or a digest.
    pub(crate) fn from_code(code: &[u8; 32]) -> Self {
        let mut half = [0; 16];
        half.copy_from_slice(&code[..16]);
        Self::from_bytes(half)
    }

    /// Returns the key of the call in the ledger: 32 hexadecimal digits.
    pub(crate) fn name(self) -> String {
        hex(&self.to_bytes())
    }

    /// Reads the key of a call in the ledger. Returns `None` if the text is not the name of a call.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let is_name = name.len() == Self::NAME && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let half = |part| u64::from_str_radix(part, 16).ok();
        is_name.then(|| Some(Self(half(&name[..16])?, half(&name[16..])?))).flatten()
    }
}

/// A call, and the number of its next round. The next round gets the answers to the open questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) call: CallId,
    pub(crate) round: u32,
    /// The first round in the call's record. It is 0 if the client sent an idempotency key, otherwise 1.
    pub(crate) first: u32,
}

impl Place {
    /// Whether the call has an idempotency key from its client.
    pub(crate) fn is_keyed(self) -> bool {
        self.first == 0
    }
}
