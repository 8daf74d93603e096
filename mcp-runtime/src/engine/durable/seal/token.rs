//! Tokens: states that contain a header and no journal. A token needs no cipher and no nonce.
//!
//! The tag of a token is a keyed BLAKE3 hash of the header and of the request that the token is bound to. The header is
//! masked with a keyed hash of the tag. So a token shows its client nothing about other calls, and equal tokens only
//! come from equal headers. Such a tag is known as a synthetic initialization vector (SIV, RFC 5297).

use base64_simd::URL_SAFE_NO_PAD;
use blake3::{Hash, Hasher, KEY_LEN, OUT_LEN};
use zeroize::Zeroizing;

use super::{
    Inauthentic, Seal, associated_data,
    bound::BoundRequest,
    keyring::{KEY_ID, SealingKey},
};

pub(super) const VERSION: &str = "t1.";

/// The keys for tokens.
#[derive(Clone)]
pub(super) struct TokenKeys {
    pub(super) tags: Zeroizing<[u8; KEY_LEN]>,
    pub(super) masks: Zeroizing<[u8; KEY_LEN]>,
}

impl Seal {
    /// Writes a header as `requestState`.
    pub(crate) fn write_token<const N: usize>(&self, binding: &BoundRequest<'_>, header: &[u8; N]) -> String {
        let key = self.keys.newest();
        let tag = key.tag(binding, header);
        let mut token = Vec::with_capacity(KEY_ID + OUT_LEN + N);
        token.extend_from_slice(&key.id);
        token.extend_from_slice(tag.as_bytes());
        token.extend_from_slice(&key.masked(tag.as_bytes(), header));
        let mut state = String::with_capacity(VERSION.len() + encoded_len(token.len()));
        state.push_str(VERSION);
        URL_SAFE_NO_PAD.encode_append(token, &mut state);
        state
    }

    /// Returns whether a state has the form of a token, so that [`open_token`](Self::open_token) can read it.
    pub(crate) fn is_token(state: &str) -> bool {
        state.starts_with(VERSION)
    }

    /// Reads the header of a token that was written for this request.
    pub(crate) fn open_token<const N: usize>(
        &self,
        binding: &BoundRequest<'_>,
        state: &str,
    ) -> Result<[u8; N], Inauthentic> {
        let text = state.strip_prefix(VERSION).ok_or(Inauthentic)?;
        if text.len() != encoded_len(KEY_ID + OUT_LEN + N) {
            return Err(Inauthentic);
        }
        let token = URL_SAFE_NO_PAD.decode_to_vec(text).map_err(|_| Inauthentic)?;
        let (id, rest) = token.split_first_chunk().ok_or(Inauthentic)?;
        let (tag, header) = rest.split_first_chunk().ok_or(Inauthentic)?;
        let key = self.keys.find(id).ok_or(Inauthentic)?;
        let header = key.masked(tag, header.try_into().map_err(|_| Inauthentic)?);
        // Hashes are compared in constant time.
        if key.tag(binding, &header) == *tag { Ok(header) } else { Err(Inauthentic) }
    }
}

impl SealingKey {
    fn tag(&self, binding: &BoundRequest<'_>, header: &[u8]) -> Hash {
        let mut message = associated_data(VERSION, &self.id, binding);
        message.extend_from_slice(header);
        blake3::keyed_hash(&self.token.tags, &message)
    }

    /// Masks a header. Applied twice, returns the header.
    fn masked<const N: usize>(&self, tag: &[u8; OUT_LEN], header: &[u8; N]) -> [u8; N] {
        let mut masked = [0; N];
        Hasher::new_keyed(&self.token.masks).update(tag).finalize_xof().fill(&mut masked);
        masked.iter_mut().zip(header).for_each(|(byte, header)| *byte ^= header);
        masked
    }
}

/// Returns the length of bytes in base64 without padding.
const fn encoded_len(bytes: usize) -> usize {
    (bytes * 4).div_ceil(3)
}
