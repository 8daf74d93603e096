//! HMAC-SHA-256 (RFC 2104), and a faster code for short messages of a fixed length.

use std::fmt;

use hmac_sha256::{HMAC, Hash};

use crate::base::random;

/// A key for HMAC. The two blocks of the key are hashed in advance. So for the authentication code of a short message,
/// only two more blocks are hashed, not four.
#[derive(Clone)]
pub(crate) struct MacKey {
    inner: Hash,
    outer: Hash,
}

/// A key for authentication codes of messages of `N` bytes. The code is the SHA-256 hash of a secret block and the
/// message. The secret block is hashed in advance. So for a message of up to 55 bytes, only one more block is hashed.
/// This is safe: all messages have the same length, so no message is the beginning of another message. For messages of
/// different lengths, use [`MacKey`].
#[derive(Clone)]
pub(crate) struct FixedLengthKey<const N: usize>(Hash);

/// Computes the authentication code of the concatenated parts. Use this function for a key that is used only once.
pub(crate) fn code(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut code = HMAC::new(key);
    parts.iter().for_each(|part| code.update(part));
    code.finalize()
}

impl MacKey {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        let padded = |pad: u8| {
            let mut block = [pad; 64];
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            let mut hash = Hash::new();
            hash.update(block);
            hash
        };
        Self { inner: padded(0x36), outer: padded(0x5c) }
    }

    /// Creates a random key, which only this process has.
    pub(crate) fn random() -> Self {
        Self::new(&random::bytes())
    }

    /// Computes the authentication code of the concatenated parts. The parts must have fixed lengths or be
    /// self-delimiting.
    pub(crate) fn code(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut inner = self.inner;
        parts.iter().for_each(|part| inner.update(part));
        let mut outer = self.outer;
        outer.update(inner.finalize());
        outer.finalize()
    }
}

impl<const N: usize> FixedLengthKey<N> {
    /// Creates a random key, which only this process has.
    pub(crate) fn random() -> Self {
        let mut hash = Hash::new();
        hash.update(random::bytes::<64>());
        Self(hash)
    }

    /// Computes the authentication code of this message.
    pub(crate) fn code(&self, message: &[u8; N]) -> [u8; 32] {
        self.hash(message).finalize()
    }

    /// Returns whether `code` is the authentication code of the message. Compares in constant time.
    pub(crate) fn verifies(&self, message: &[u8; N], code: &[u8; 32]) -> bool {
        self.hash(message).finalize_verify(code)
    }

    fn hash(&self, message: &[u8; N]) -> Hash {
        let mut hash = self.0;
        hash.update(message);
        hash
    }
}

/// Omits the key, which is secret.
impl fmt::Debug for MacKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MacKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precomputed_key_matches_hmac_sha256() {
        let key: [u8; 32] = std::array::from_fn(|index| index as u8);
        for length in [0, 1, 55, 56, 63, 64, 65, 200] {
            let message = vec![0xa5; length];
            let code = HMAC::mac(&message, key);
            let (first, second) = message.split_at(length / 3);
            assert_eq!(MacKey::new(&key).code(&[first, second]), code);
            assert_eq!(super::code(&key, &[first, second]), code);
        }
    }

    #[test]
    fn code_of_fixed_length_depends_on_key_and_message() {
        let key = FixedLengthKey::<49>::random();
        let message = [7; 49];
        let code = key.code(&message);
        assert!(key.verifies(&message, &code));
        assert!(!FixedLengthKey::random().verifies(&message, &code));
        for index in 0..message.len() {
            let mut other = message;
            other[index] ^= 1;
            assert!(!key.verifies(&other, &code), "byte {index}");
        }
    }
}
