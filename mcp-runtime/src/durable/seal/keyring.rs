//! The keys that states are sealed with.

use std::{
    env::{self, VarError},
    fmt,
    str::FromStr,
};

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::{Zeroize as _, Zeroizing};

use super::KEY_ID;
use crate::random;

/// The environment variable that holds the keys.
const VARIABLE: &str = "MCP_STATE_KEY";

/// How many bytes a key has.
const KEY: usize = 32;

/// The keys with which the server seals what its clients carry between two rounds of a call: the newest seals, all open.
///
/// Without one a server draws a key when it starts, and its clients' open conversations end with it. A server that is to
/// go on with them after a restart, or several that are to go on with each other's, needs keys of its operator's.
///
/// # For operators
///
/// `MCP_STATE_KEY` holds the keys, each of them 32 random bytes in base64, with commas between them. The first one seals:
/// most often the newest.
///
/// ```sh
/// export MCP_STATE_KEY="$(openssl rand -base64 32)"
/// ```
///
/// Whoever has a key can read and write every state: keep it where other secrets are kept, and give every instance the
/// same. To replace a key:
///
/// 1. Add the new one *behind* the old one, on every instance: now all can open what it will seal.
///    `MCP_STATE_KEY="$OLD,$NEW"`
/// 2. When that is done everywhere, put the new one first: it seals from now on. `MCP_STATE_KEY="$NEW,$OLD"`
/// 3. When the last state of the old key has expired (an hour after step 2 reached the last instance, unless a tool's
///    users are given longer to answer), take the old one away. `MCP_STATE_KEY="$NEW"`
///
/// A single instance can begin with step 2. If a key got out, go to step 3 at once: open conversations end with an error
/// that asks to call the tool again.
///
/// # For authors
///
/// ```
/// use mcp_runtime::KeyRing;
///
/// # let (newest, older) = ([1; 32], [2; 32]);
/// let keys = KeyRing::new(newest).retired(older);
/// # let text = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=,AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";
/// let same: KeyRing = text.parse()?; // as in `MCP_STATE_KEY`
/// # assert_eq!(format!("{keys:?}"), format!("{same:?}"));
/// # Ok::<(), mcp_runtime::KeyRingError>(())
/// ```
#[derive(Clone)]
pub struct KeyRing {
    /// Newest first. Never empty, and no two with the same id.
    keys: Vec<Key>,
}

/// Why a text holds no keys. It never repeats the text.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct KeyRingError(String);

/// What is derived from a key; the key itself is not kept.
#[derive(Clone)]
pub(super) struct Key {
    /// Which key it is. Everybody may know.
    pub(super) id: [u8; KEY_ID],
    state: XChaCha20Poly1305,
    outcome: XChaCha20Poly1305,
    journal: XChaCha20Poly1305,
}

/// What is sealed: each with a key of its own, so that no text stands for another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    State,
    Outcome,
    Journal,
}

impl KeyRing {
    /// A ring with one key. It must be random: [`KeyRing::random`] and `openssl rand` make such keys, people do not.
    pub fn new(key: [u8; 32]) -> Self {
        Self { keys: vec![Key::derive(key)] }
    }

    /// A ring with a key drawn for this process, which nobody else has.
    ///
    /// # Panics
    ///
    /// If the operating system cannot draw random bytes.
    pub fn random() -> Self {
        let mut key = random::bytes();
        let ring = Self::new(key);
        key.zeroize();
        ring
    }

    /// The ring of `MCP_STATE_KEY`; `None` if there is no such variable.
    ///
    /// # Errors
    ///
    /// If it holds anything but keys. A server should then not start: with a key of its own it would go on with nobody's
    /// conversations.
    pub fn from_env() -> Result<Option<Self>, KeyRingError> {
        Self::from_variable(env::var(VARIABLE))
    }

    /// Adds a key that opens and does not seal. One that is in the ring already changes nothing.
    #[must_use]
    pub fn retired(mut self, key: [u8; 32]) -> Self {
        let key = Key::derive(key);
        if self.find(&key.id).is_none() {
            self.keys.push(key);
        }
        self
    }

    pub(super) fn newest(&self) -> &Key {
        &self.keys[0]
    }

    pub(super) fn find(&self, id: &[u8; KEY_ID]) -> Option<&Key> {
        self.keys.iter().find(|key| key.id == *id)
    }

    pub(super) fn from_variable(variable: Result<String, VarError>) -> Result<Option<Self>, KeyRingError> {
        let keys = match variable {
            Ok(text) => Zeroizing::new(text).parse(),
            Err(VarError::NotPresent) => return Ok(None),
            Err(VarError::NotUnicode(_)) => Err(KeyRingError::new("it is no text")),
        };
        keys.map(Some).map_err(|KeyRingError(reason)| KeyRingError(format!("`{VARIABLE}`: {reason}")))
    }
}

impl FromStr for KeyRing {
    type Err = KeyRingError;

    fn from_str(text: &str) -> Result<Self, KeyRingError> {
        let mut keys: Vec<Key> = Vec::new();
        for (index, text) in text.split(',').enumerate() {
            let key = read_key(text).map_err(|reason| KeyRingError::new(format!("key {} {reason}", index + 1)))?;
            if let Some(same) = keys.iter().position(|earlier| earlier.id == key.id) {
                let reason = format!("key {} is key {} once more", index + 1, same + 1);
                return Err(KeyRingError::new(reason));
            }
            keys.push(key);
        }
        Ok(Self { keys })
    }
}

impl KeyRingError {
    fn new(reason: impl fmt::Display) -> Self {
        Self(format!(
            "{reason}; give one or more keys of 32 random bytes in base64, newest first, with commas between them; \
             `openssl rand -base64 32` makes one"
        ))
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.keys).finish()
    }
}

impl Key {
    fn derive(mut key: [u8; KEY]) -> Self {
        let hkdf = Hkdf::<Sha256>::new(None, &key);
        key.zeroize();
        let cipher = |words| XChaCha20Poly1305::new((&*expand::<KEY>(&hkdf, words)).into());
        Self {
            id: *expand(&hkdf, "key id"),
            state: cipher("request state"),
            outcome: cipher("recorded outcome"),
            journal: cipher("spilled journal"),
        }
    }

    pub(super) fn cipher(&self, purpose: Purpose) -> &XChaCha20Poly1305 {
        match purpose {
            Purpose::State => &self.state,
            Purpose::Outcome => &self.outcome,
            Purpose::Journal => &self.journal,
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id: String = self.id.iter().map(|byte| format!("{byte:02x}")).collect();
        f.debug_tuple("Key").field(&id).finish()
    }
}

/// Bytes of these words, from which nothing of the key and of other words' bytes can be found.
fn expand<const N: usize>(hkdf: &Hkdf<Sha256>, words: &str) -> Zeroizing<[u8; N]> {
    let mut bytes = Zeroizing::new([0; N]);
    hkdf.expand_multi_info(&[b"mcp-runtime v1 ", words.as_bytes()], &mut *bytes).expect("a hash or less of bytes");
    bytes
}

/// Reads both alphabets of base64, padded or not: secrets come from many places.
fn read_key(text: &str) -> Result<Key, String> {
    const EITHER: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let text = text.trim();
    if text.is_empty() {
        return Err("is empty".into());
    }
    let alphabet = if text.contains(['-', '_']) { &alphabet::URL_SAFE } else { &alphabet::STANDARD };
    let Ok(bytes) = GeneralPurpose::new(alphabet, EITHER).decode(text).map(Zeroizing::new) else {
        return Err("is no base64".into());
    };
    match <[u8; KEY]>::try_from(&**bytes) {
        Ok(key) => Ok(Key::derive(key)),
        Err(_) => Err(format!("is {} bytes long, not {KEY}", bytes.len())),
    }
}
