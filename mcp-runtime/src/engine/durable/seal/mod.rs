//! The seal: authenticated encryption for data that leaves the process between two rounds of a call. Only servers with
//! the keys can open the data. They can open it only for the call that it belongs to.
//!
//! A client carries the journal of its call as `requestState`, or a token if the state has no journal. A ledger stores
//! outcomes, and journals that are too large for a state. All these data are encrypted and authenticated with the operator's keys ([`KeyRing`]). The cipher
//! is XChaCha20-Poly1305. Its nonces are long, so all instances with the same key can choose them at random. This
//! module only handles bytes. Its callers write the expiry, the ledger and the round into the text, and check these
//! when the text is opened. This is necessary: for example, authentic data can be expired.
//!
//! # Format 1
//!
//! A `requestState` is `v1.` followed by base64url without padding; stored data is `v1.` followed by the bytes.
//!
//! | at | bytes | |
//! | ---: | ---: | --- |
//! | 0 | 6 | id of the key |
//! | 6 | 24 | nonce |
//! | 30 | 256 · n | the plaintext, `80`, and `00` up to a multiple of 256; encrypted |
//! | 30 + 256 · n | 16 | tag |
//!
//! The tag also covers data that is not sent: `v1.`, the id of the key, and the data that the text is bound to. In that
//! data, the length of each text comes before the text (eight bytes, little-endian).
//!
//! | of | bound to | key for |
//! | --- | --- | --- |
//! | a state | method · tool · principal · canonical arguments | `request state` |
//! | an outcome | id of the call | `recorded outcome` |
//! | a spilled journal | id of the call | `spilled journal` |
//!
//! A token is `t1.` followed by base64url without padding:
//!
//! | at | bytes | |
//! | ---: | ---: | --- |
//! | 0 | 6 | id of the key |
//! | 6 | 32 | tag: keyed BLAKE3, with the key for `token` |
//! | 38 | n | header, XOR the first n bytes of keyed BLAKE3 of the tag, with the key for `token mask` |
//!
//! The tag covers `t1.`, the id of the key, the data that a state is bound to, and the header, which has a fixed length.
//!
//! The keys and their id are derived from the operator's 32 bytes by HKDF-SHA256 without a salt. The context is
//! `mcp-runtime v1 ` followed by the words above, or by `key id`. The module `canonical` of the protocol defines canonical
//! arguments.
//!
//! The format changes only with its version. Lengths are visible, in steps of 256 bytes. Nothing is compressed, because
//! the compressed length would reveal information about the content.

mod bound;
#[cfg(any(test, fuzzing))]
#[path = "tests/fuzzing.rs"]
pub(crate) mod fuzzing;
mod keyring;
#[cfg(test)]
mod tests;
mod token;

use base64_simd::URL_SAFE_NO_PAD;
use chacha20poly1305::{
    Tag, XNonce,
    aead::{AeadInOut as _, inout::InOutBuf},
};

pub(crate) use self::bound::{BoundRequest, SealedEntry};
pub use self::keyring::{KeyRing, KeyRingError};
use self::{bound::BoundData, keyring::KEY_ID};
use crate::base::random;

const VERSION: &str = "v1.";
const NONCE: usize = 24;
const HEADER: usize = KEY_ID + NONCE;
const TAG: usize = 16;

/// The number of bytes before a journal that [`Seal::seal`] overwrites.
pub(crate) const ROOM: usize = HEADER;

/// The length of a padded plaintext is a multiple of this many bytes.
const BLOCK: usize = 256;

/// The longest possible padding. Every shorter padding is the beginning of this one.
const PADDING: [u8; BLOCK] = {
    let mut padding = [0; BLOCK];
    padding[0] = 0x80;
    padding
};

/// The default limit for the length of a `requestState`.
const LARGEST_STATE: usize = 32 * 1024;

/// Encrypts and decrypts states and stored data with the keys of a [`KeyRing`].
#[derive(Debug)]
pub(crate) struct Seal {
    keys: KeyRing,
    largest_state: usize,
}

/// The error for a text that was not sealed for this request. The error does not say why verification failed, so that
/// an attacker learns nothing.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("`requestState` does not belong to this request; send the request again without it")]
pub(crate) struct Inauthentic;

/// The error for a journal that is too large for a `requestState`.
#[derive(Debug, PartialEq)]
pub(crate) struct TooLarge;

impl Seal {
    pub(crate) fn new(keys: KeyRing) -> Self {
        Self { keys, largest_state: LARGEST_STATE }
    }

    /// Sets the maximum length of a `requestState`. Longer states are not created and not accepted.
    pub(crate) fn largest_state(self, bytes: usize) -> Self {
        Self { largest_state: bytes, ..self }
    }

    /// Seals a journal as `requestState`. `text` has [`ROOM`] bytes before the journal, and is sealed in place.
    ///
    /// # Errors
    /// If the state would be too long. Then `text` is unchanged.
    pub(crate) fn seal(&self, binding: &BoundRequest<'_>, text: &mut Vec<u8>) -> Result<String, TooLarge> {
        let sealed = HEADER + padded(text.len() - ROOM) + TAG;
        let length = VERSION.len() + (sealed * 4).div_ceil(3);
        if length > self.largest_state {
            return Err(TooLarge);
        }
        self.encrypt_padded(binding, random::bytes(), text, 0);
        let mut state = String::with_capacity(length);
        state.push_str(VERSION);
        URL_SAFE_NO_PAD.encode_append(text, &mut state);
        Ok(state)
    }

    /// Opens a `requestState` that was sealed for this request.
    pub(crate) fn open(&self, binding: &BoundRequest<'_>, state: &str) -> Result<Vec<u8>, Inauthentic> {
        if state.len() > self.largest_state {
            return Err(Inauthentic);
        }
        let text = state.strip_prefix(VERSION).ok_or(Inauthentic)?;
        self.decrypt(binding, URL_SAFE_NO_PAD.decode_to_vec(text).map_err(|_| Inauthentic)?)
    }

    /// Seals bytes for a ledger.
    pub(crate) fn seal_stored(&self, stored: &SealedEntry<'_>, bytes: &[u8]) -> Vec<u8> {
        self.encrypt(stored, random::bytes(), VERSION.into(), bytes)
    }

    /// Opens bytes from a ledger. The caller must limit the length of the bytes.
    pub(crate) fn open_stored(&self, stored: &SealedEntry<'_>, bytes: &[u8]) -> Result<Vec<u8>, Inauthentic> {
        let sealed = bytes.strip_prefix(VERSION.as_bytes()).ok_or(Inauthentic)?;
        self.decrypt(stored, sealed.into())
    }

    /// Appends the sealed plaintext to `out`. The caller must never use a nonce twice.
    fn encrypt(&self, bound: &impl BoundData, nonce: [u8; NONCE], mut out: Vec<u8>, plaintext: &[u8]) -> Vec<u8> {
        let start = out.len();
        out.reserve_exact(HEADER + padded(plaintext.len()) + TAG);
        out.extend_from_slice(&[0; HEADER]);
        out.extend_from_slice(plaintext);
        self.encrypt_padded(bound, nonce, &mut out, start);
        out
    }

    /// Pads a plaintext, and encrypts it as [`encrypt_in_place`](Self::encrypt_in_place).
    fn encrypt_padded(&self, bound: &impl BoundData, nonce: [u8; NONCE], text: &mut Vec<u8>, start: usize) {
        let plaintext = text.len() - start - HEADER;
        text.extend_from_slice(&PADDING[..padded(plaintext) - plaintext]);
        self.encrypt_in_place(bound, nonce, text, start);
    }

    /// Encrypts a plaintext that has room for the header before it. The header begins at `start`.
    fn encrypt_in_place(&self, bound: &impl BoundData, nonce: [u8; NONCE], text: &mut Vec<u8>, start: usize) {
        let key = self.keys.newest();
        let (header, plaintext) = text[start..].split_at_mut(HEADER);
        header[..KEY_ID].copy_from_slice(&key.id);
        header[KEY_ID..].copy_from_slice(&nonce);
        let tag = key
            .cipher(bound.purpose())
            .encrypt_inout_detached(
                &XNonce::from(nonce),
                &associated_data(VERSION, &key.id, bound),
                InOutBuf::from(plaintext),
            )
            .expect("the plaintext is shorter than 256 GiB");
        text.extend_from_slice(&tag);
    }

    fn decrypt(&self, bound: &impl BoundData, mut sealed: Vec<u8>) -> Result<Vec<u8>, Inauthentic> {
        let (id, rest) = sealed.split_first_chunk_mut::<KEY_ID>().ok_or(Inauthentic)?;
        let (nonce, rest) = rest.split_first_chunk_mut::<NONCE>().ok_or(Inauthentic)?;
        let (text, tag) = rest.split_last_chunk_mut::<TAG>().ok_or(Inauthentic)?;
        let key = self.keys.find(id).ok_or(Inauthentic)?;
        key.cipher(bound.purpose())
            .decrypt_inout_detached(
                &XNonce::from(*nonce),
                &associated_data(VERSION, id, bound),
                text.into(),
                &Tag::from(*tag),
            )
            .map_err(|_| Inauthentic)?;
        let plaintext = without_padding(text).ok_or(Inauthentic)?.len();
        sealed.copy_within(HEADER..HEADER + plaintext, 0);
        sealed.truncate(plaintext);
        Ok(sealed)
    }
}

/// Returns the data that a tag covers in addition to the ciphertext or the header.
fn associated_data(version: &str, key: &[u8; KEY_ID], bound: &impl BoundData) -> Vec<u8> {
    let mut data = Vec::with_capacity(256);
    data.extend_from_slice(version.as_bytes());
    data.extend_from_slice(key);
    bound.push(&mut data);
    data
}

/// Returns the length of a plaintext and its padding. The padding has at least one byte.
fn padded(length: usize) -> usize {
    (length + 1).next_multiple_of(BLOCK)
}

fn without_padding(padded: &[u8]) -> Option<&[u8]> {
    let end = memchr::memrchr(PADDING[0], padded)?;
    (PADDING.get(..padded.len() - end) == Some(&padded[end..])).then(|| &padded[..end])
}
