//! Whose records these are.

use std::fmt;

use crate::random;

/// The identity of a [`Ledger`](crate::Ledger)'s store: random, made with it, lost with it.
///
/// It is sealed into every state a client is given, so that a state is honoured by no other store: one that does not
/// know the call would let it run again.
///
/// ```
/// use mcp_runtime::LedgerId;
///
/// let id = LedgerId::random();
/// assert_eq!(LedgerId::from_bytes(id.to_bytes()), id);
/// assert_ne!(LedgerId::random(), id);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LedgerId([u8; 16]);

impl LedgerId {
    /// A new one, for a new store: 128 random bits of the operating system.
    ///
    /// # Panics
    /// If the operating system cannot draw random bytes.
    pub fn random() -> Self {
        Self(random::bytes())
    }

    /// The one a store has kept.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// What a store keeps.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for LedgerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for LedgerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LedgerId({self})")
    }
}
