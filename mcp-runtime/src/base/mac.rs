//! HMAC-SHA-256 (RFC 2104), and a faster code for messages that only this process verifies.

use std::fmt;

use hmac_sha256::{HMAC, Hash};
use siphasher::sip128::SipHasher24;

use crate::base::random;

/// A key for HMAC. The two blocks of the key are hashed in advance. So for the authentication code of a short message,
/// only two more blocks are hashed, not four.
#[derive(Clone)]
pub(crate) struct MacKey {
    inner: Hash,
    outer: Hash,
}

/// A key for tags: authentication codes of messages, which only this process creates and verifies. A tag is a
/// SipHash-2-4 code of 128 bits. It costs a tenth of a code of a [`MacKey`].
pub(crate) struct TagKey(SipHasher24);

/// The length of a tag.
pub(crate) const TAG: usize = 16;

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

impl TagKey {
    /// Creates a random key, which only this process has.
    pub(crate) fn random() -> Self {
        Self(SipHasher24::new_with_key(&random::bytes()))
    }

    /// Computes the tag of this message.
    pub(crate) fn tag(&self, message: &[u8]) -> [u8; TAG] {
        self.0.hash(message).as_bytes()
    }

    /// Returns whether `tag` is the tag of the message. Compares numbers, which takes the same time for all tags.
    pub(crate) fn verifies(&self, message: &[u8], tag: &[u8; TAG]) -> bool {
        u128::from_ne_bytes(self.tag(message)) == u128::from_ne_bytes(*tag)
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
    fn tag_depends_on_key_and_message() {
        let key = TagKey::random();
        let message = [7; 49];
        let tag = key.tag(&message);
        assert!(key.verifies(&message, &tag));
        assert!(!TagKey::random().verifies(&message, &tag));
        for index in 0..message.len() {
            let mut other = message;
            other[index] ^= 1;
            assert!(!key.verifies(&other, &tag), "byte {index}");
        }
    }

    #[test]
    fn every_byte_of_a_tag_is_verified() {
        let key = TagKey::random();
        let tag = key.tag(b"message");
        for index in 0..TAG {
            let mut other = tag;
            other[index] ^= 1;
            assert!(!key.verifies(b"message", &other), "byte {index}");
        }
    }
}
