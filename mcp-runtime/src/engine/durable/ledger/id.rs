//! The id of a ledger.

use std::fmt;

use crate::base::random;

/// The id of a [`Ledger`](crate::store::Ledger)'s store. The id is random, and is created and lost with the store.
///
/// Every state contains the id, so that a server with another store rejects the state. The other store has no record of
/// the call, so without the id the call could run again. With [`Once::PerInstance`](crate::store::Once::PerInstance), and for a
/// tool marked `read_only` or `idempotent`, a server accepts such a state.
///
/// ```
/// use mcp_runtime::store::LedgerId;
///
/// let id = LedgerId::random();
/// assert_eq!(LedgerId::from_bytes(id.to_bytes()), id);
/// assert_ne!(LedgerId::random(), id);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LedgerId([u8; 16]);

impl LedgerId {
    /// Creates the id of a new store: 128 random bits from the operating system.
    ///
    /// # Panics
    /// Panics if the operating system fails to supply random bytes.
    pub fn random() -> Self {
        Self(random::bytes())
    }

    /// Creates an id from stored bytes.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Reads the 32 hexadecimal digits of an id. There can be hyphens between them, as in a UUID.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let number = u128::from_str_radix(&text.replace('-', ""), 16).ok()?;
        Some(Self(number.to_be_bytes()))
    }

    /// Returns the bytes to store.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

/// Writes the id as 32 hexadecimal digits.
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
