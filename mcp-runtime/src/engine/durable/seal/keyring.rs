//! The keys that states are sealed with.

use std::{
    env::{self, VarError},
    fmt, fs,
    str::FromStr,
};

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use hmac_sha256::HKDF;
use zeroize::{Zeroize as _, Zeroizing};

use super::token::TokenKeys;
use crate::base::random;

/// The environment variable that holds the keys.
const VARIABLE: &str = "MCP_STATE_KEY";

/// The environment variable with the path of a file that holds them. Container platforms mount secrets as files.
const FILE_VARIABLE: &str = "MCP_STATE_KEY_FILE";

/// The length of the id of a key in bytes.
pub(super) const KEY_ID: usize = 6;

/// The length of a key in bytes.
const KEY: usize = 32;

/// The keys that seal the states and outcomes of calls. The first key is used to seal, and every key can be used to
/// unseal.
///
/// If a server has no keys, it creates a random key when it starts, and open calls are lost when it stops. To resume
/// calls after a restart, or on other instances, the operator must configure keys.
///
/// # For operators
///
/// `MCP_STATE_KEY` holds the keys, separated by commas. Each key is 32 random bytes in base64. The first key, usually
/// the newest, seals. The keys can also be in a file, whose path is in `MCP_STATE_KEY_FILE`.
///
/// ```sh
/// export MCP_STATE_KEY="$(openssl rand -base64 32)"
/// ```
///
/// Anyone with a key can read and write every state, so protect the keys like other secrets. All instances need the
/// same keys. To replace a key:
///
/// 1. Add the new key *behind* the old one, on every instance. All instances can then open states that are sealed with
///    the new key. `MCP_STATE_KEY="$OLD,$NEW"`
/// 2. When all instances have the new key, put it first, so that it seals. `MCP_STATE_KEY="$NEW,$OLD"`
/// 3. Remove the old key when all states sealed with it have expired. This is an hour after the last instance has the
///    keys of step 2, or longer if a tool gives its users more time to answer. `MCP_STATE_KEY="$NEW"`
///
/// With a single instance you can begin with step 2. If a key was disclosed, go to step 3 at once. Open calls then end
/// with an error, and clients must call the tool again.
///
/// # For authors
///
/// ```
/// use mcp_runtime::store::KeyRing;
///
/// # let (newest, older) = ([1; 32], [2; 32]);
/// let keys = KeyRing::new(newest).retired(older);
/// # let text = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=,AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";
/// let same: KeyRing = text.parse()?; // as in `MCP_STATE_KEY`
/// # assert_eq!(format!("{keys:?}"), format!("{same:?}"));
/// # Ok::<(), mcp_runtime::store::KeyRingError>(())
/// ```
#[derive(Clone)]
pub struct KeyRing {
    /// The keys. The first one seals. There is at least one key, and no two keys have the same id.
    keys: Vec<SealingKey>,
}

/// The reason why a text is not a valid list of keys. The error never repeats the text, which may contain a key.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct KeyRingError(String);

/// The values that are derived from a key. The key itself is not stored.
#[derive(Clone)]
pub(super) struct SealingKey {
    /// Identifies the key. The id is not a secret.
    pub(super) id: [u8; KEY_ID],
    state: XChaCha20Poly1305,
    outcome: XChaCha20Poly1305,
    journal: XChaCha20Poly1305,
    pub(super) token: TokenKeys,
}

/// The kinds of sealed text. Each kind has its own derived key, so that a text of one kind cannot be used as another
/// kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Purpose {
    State,
    Outcome,
    Journal,
}

impl KeyRing {
    /// Creates a ring with one key. The key must be random, for example from `openssl rand`. See also
    /// [`KeyRing::random`].
    pub fn new(key: [u8; 32]) -> Self {
        Self { keys: vec![SealingKey::derive(key)] }
    }

    /// Creates a ring with a new random key, for this process alone.
    ///
    /// # Panics
    ///
    /// Panics if the operating system fails to supply random bytes.
    pub fn random() -> Self {
        let mut key = random::bytes();
        let ring = Self::new(key);
        key.zeroize();
        ring
    }

    /// Reads the keys of `MCP_STATE_KEY`, or those in the file that `MCP_STATE_KEY_FILE` names. Returns `None` if neither
    /// variable is set.
    ///
    /// # Errors
    ///
    /// Fails if the value is not a list of keys, if the file cannot be read, or if both variables are set. In this case, do not start the server with a random key: such a server
    /// could not resume existing calls.
    pub fn from_env() -> Result<Option<Self>, KeyRingError> {
        match env::var_os(FILE_VARIABLE).filter(|path| !path.is_empty()) {
            None => Self::from_variable(env::var(VARIABLE)),
            Some(_) if env::var_os(VARIABLE).is_some() => {
                Err(KeyRingError(format!("both `{VARIABLE}` and `{FILE_VARIABLE}` are set; set one of them")))
            }
            Some(path) => {
                let text = fs::read_to_string(&path).map(Zeroizing::new);
                let keys = text
                    .map_err(|error| error.to_string())
                    .and_then(|text| text.parse().map_err(|KeyRingError(reason)| reason));
                let named = |reason| KeyRingError(format!("`{FILE_VARIABLE}`, `{}`: {reason}", path.display()));
                keys.map(Some).map_err(named)
            }
        }
    }

    /// Adds a key that only decrypts. If the key is already in the ring, nothing changes.
    #[must_use]
    pub fn retired(mut self, key: [u8; 32]) -> Self {
        let key = SealingKey::derive(key);
        if self.find(&key.id).is_none() {
            self.keys.push(key);
        }
        self
    }

    pub(super) fn newest(&self) -> &SealingKey {
        &self.keys[0]
    }

    pub(super) fn find(&self, id: &[u8; KEY_ID]) -> Option<&SealingKey> {
        self.keys.iter().find(|key| key.id == *id)
    }

    pub(super) fn from_variable(variable: Result<String, VarError>) -> Result<Option<Self>, KeyRingError> {
        let keys = match variable {
            Ok(text) => Zeroizing::new(text).parse(),
            Err(VarError::NotPresent) => return Ok(None),
            Err(VarError::NotUnicode(_)) => Err(KeyRingError::new("the value is not valid Unicode")),
        };
        keys.map(Some).map_err(|KeyRingError(reason)| KeyRingError(format!("`{VARIABLE}`: {reason}")))
    }
}

impl FromStr for KeyRing {
    type Err = KeyRingError;

    fn from_str(text: &str) -> Result<Self, KeyRingError> {
        let mut keys: Vec<SealingKey> = Vec::new();
        for (index, text) in text.split(',').enumerate() {
            let key = read_key(text).map_err(|reason| KeyRingError::new(format!("key {} {reason}", index + 1)))?;
            if let Some(same) = keys.iter().position(|earlier| earlier.id == key.id) {
                let reason = format!("key {} repeats key {}", index + 1, same + 1);
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
            "{reason}; give one or more keys, separated by commas; the server encrypts with the first key; a key is \
             32 random bytes in base64: `openssl rand -base64 32` prints one"
        ))
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.keys).finish()
    }
}

impl SealingKey {
    fn derive(mut key: [u8; KEY]) -> Self {
        let extracted = Zeroizing::new(HKDF::extract([], key.as_slice()));
        key.zeroize();
        let cipher = |words| XChaCha20Poly1305::new((&*expand::<KEY>(&extracted, words)).into());
        Self {
            id: *expand(&extracted, "key id"),
            state: cipher("request state"),
            outcome: cipher("recorded outcome"),
            journal: cipher("spilled journal"),
            token: TokenKeys { tags: expand(&extracted, "token"), masks: expand(&extracted, "token mask") },
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

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id: String = self.id.iter().map(|byte| format!("{byte:02x}")).collect();
        f.debug_tuple("Key").field(&id).finish()
    }
}

/// Derives bytes from the key that was extracted from the operator's key, for the context `words`. The bytes reveal
/// nothing about the key or about other contexts.
fn expand<const N: usize>(key: &[u8; 32], words: &str) -> Zeroizing<[u8; N]> {
    let mut bytes = Zeroizing::new([0; N]);
    HKDF::expand(&mut *bytes, key, [b"mcp-runtime v1 ", words.as_bytes()].concat());
    bytes
}

/// Decodes a key from base64. Accepts both alphabets, with or without padding, because secrets come from various tools.
fn read_key(text: &str) -> Result<SealingKey, String> {
    const EITHER: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let text = text.trim();
    if text.is_empty() {
        return Err("is empty".into());
    }
    let alphabet = if text.contains(['-', '_']) { &alphabet::URL_SAFE } else { &alphabet::STANDARD };
    let Ok(bytes) = GeneralPurpose::new(alphabet, EITHER).decode(text).map(Zeroizing::new) else {
        return Err("is not base64".into());
    };
    match <[u8; KEY]>::try_from(&**bytes) {
        Ok(key) => Ok(SealingKey::derive(key)),
        Err(_) => Err(format!("is {} bytes long, not {KEY}", bytes.len())),
    }
}
