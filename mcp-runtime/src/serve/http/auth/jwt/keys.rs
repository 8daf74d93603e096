//! The public keys of an issuer, fetched and cached.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use jsonwebtoken::Algorithm;
use serde::Deserialize;
use serde_json::Value;
use tokio::{sync::watch, time::Instant};

use super::{fetch::Fetch, key::VerifyingKey};
use crate::{base::mutex::Mutex, serve::http::auth::verifier::TokenError};

/// Keys older than this are fetched again.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);
/// The shortest time between two fetches, even if tokens name unknown keys.
const MIN_INTERVAL: Duration = Duration::from_secs(10);
/// The shortest time between two fetches until the first one succeeds.
const MIN_INTERVAL_WITHOUT_KEYS: Duration = Duration::from_secs(1);
/// The largest number of keys read from a set.
const MAX_KEYS: usize = 100;

/// The public keys of a token issuer: a JSON Web Key Set.
///
/// The set skips keys that cannot verify a signature, such as secrets and encryption keys. Clones share their keys.
#[derive(Clone)]
pub struct Jwks(Arc<SharedKeySet>);

/// An error of [`Jwks::from_json`] and [`Jwks::from_url`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JwksError {
    /// The text is not a JSON Web Key Set.
    #[error("the text is not a JSON Web Key Set, which has the form `{{\"keys\": […]}}`")]
    NoSet,
    /// No key of the set can verify a signature.
    #[error(
        "the key set has no key that can verify signatures; add an RSA key of at least 2048 bits, or a P-256, P-384 \
         or Ed25519 key; the `use`, `key_ops` and `alg` of the key must allow verification"
    )]
    NoKey,
    /// The keys cannot be fetched from this URL.
    #[error("the URL of the key set is not allowed: {0}; write it like `https://auth.example.com/jwks.json`")]
    Url(&'static str),
    /// The system's trusted certificates cannot be read.
    #[error("the certificates of the system cannot be read")]
    Certificates(#[source] Box<dyn Error + Send + Sync>),
}

struct SharedKeySet {
    state: Mutex<KeySetState>,
    /// The URL to fetch the keys from. `None` if the keys are fixed.
    source: Option<Fetch>,
}

#[derive(Default)]
struct KeySetState {
    keys: Arc<[Arc<VerifyingKey>]>,
    /// When the keys were last fetched.
    fetched: Option<Instant>,
    /// When the last fetch began, whether or not it succeeded.
    tried: Option<Instant>,
    /// The reason why the last fetch failed, if it did.
    failure: Option<String>,
    /// The current fetch, if one is running. The channel closes when the fetch ends.
    under_way: Option<watch::Receiver<()>>,
}

impl Jwks {
    /// Reads a set of keys from JSON: `{"keys": [{"kty": "RSA", …}]}`.
    ///
    /// # Errors
    /// Returns an error if the text is not a key set, or if none of its keys can verify signatures.
    pub fn from_json(text: &str) -> Result<Self, JwksError> {
        let state = KeySetState { keys: read(text.as_bytes())?, ..KeySetState::default() };
        Ok(Self(Arc::new(SharedKeySet { state: Mutex::new(state), source: None })))
    }

    /// Creates a key set that the server fetches from this URL, such as `https://auth.example.com/jwks.json`. This URL
    /// is the `jwks_uri` in the issuer's metadata. `http` is allowed for the local machine only.
    ///
    /// The server fetches the keys when the first token arrives, then every 10 minutes. It also fetches them when a
    /// token names an unknown key, but at most once every 10 seconds. If a fetch fails, the server uses the old keys
    /// and reports the failure to the operator. The server uses no proxy and follows no redirect.
    ///
    /// # Errors
    /// Returns an error if the URL is invalid, or if the system's trusted certificates cannot be read.
    pub fn from_url(url: &str) -> Result<Self, JwksError> {
        let source = Some(Fetch::new(url)?);
        Ok(Self(Arc::new(SharedKeySet { state: Mutex::default(), source })))
    }

    /// Returns the keys that may have signed a token.
    ///
    /// # Errors
    /// Returns an error if the token names an unknown key and the keys cannot be fetched.
    pub(super) async fn find(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<Vec<Arc<VerifyingKey>>, TokenError> {
        if let Some(keys) = self.known(id, algorithm) {
            return Ok(keys);
        }
        if let Some(mut under_way) = self.fetch() {
            // The sender never sends. It is dropped when the fetch ends.
            let _ = under_way.changed().await;
            if let Some(keys) = self.known(id, algorithm) {
                return Ok(keys);
            }
        }
        match &self.0.state.lock().failure {
            Some(reason) => Err(TokenError::unavailable(reason.clone())),
            None => Ok(Vec::new()),
        }
    }

    /// Returns the matching keys of the last fetch. Returns `None` if a new fetch may find a key with this `id`.
    fn known(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Vec<Arc<VerifyingKey>>> {
        let (keys, is_old) = {
            let state = self.0.state.lock();
            let is_old = state.fetched.is_some_and(|fetched| fetched.elapsed() >= MAX_AGE);
            (Arc::clone(&state.keys), is_old)
        };
        if is_old {
            // The current token does not wait for the fetch.
            drop(self.fetch());
        }
        let mut named = keys.iter().filter(|key| key.may_be(id)).peekable();
        named.peek()?;
        Some(named.filter(|key| key.algorithms.contains(&algorithm)).cloned().collect())
    }

    /// Starts a fetch, or joins the current one. Returns `None` if the last fetch began too recently.
    fn fetch(&self) -> Option<watch::Receiver<()>> {
        self.0.source.as_ref()?;
        let mut state = self.0.state.lock();
        // If the channel is closed, the runtime ended before the fetch did. In this case, start another fetch.
        if let Some(under_way) = state.under_way.as_ref().filter(|under_way| under_way.has_changed().is_ok()) {
            return Some(under_way.clone());
        }
        let pause = if state.keys.is_empty() { MIN_INTERVAL_WITHOUT_KEYS } else { MIN_INTERVAL };
        if state.tried.is_some_and(|tried| tried.elapsed() < pause) {
            return None;
        }
        let (done, under_way) = watch::channel(());
        state.tried = Some(Instant::now());
        state.under_way = Some(under_way.clone());
        let shared = Arc::clone(&self.0);
        // The fetch runs in a task, because this request can be dropped while other requests wait for the keys.
        tokio::spawn(async move {
            shared.refresh().await;
            drop(done);
        });
        Some(under_way)
    }
}

impl SharedKeySet {
    async fn refresh(&self) {
        let Some(source) = &self.source else { return };
        let keys = match source.fetch().await {
            Ok(text) => read(&text).map_err(|error| error.to_string()),
            Err(reason) => Err(reason),
        };
        if let Err(reason) = &keys {
            crate::report!("cannot fetch the JSON Web Key Set from {}: {reason}", source.url);
        }
        let mut state = self.state.lock();
        state.under_way = None;
        match keys {
            Ok(keys) => {
                state.keys = keys;
                state.fetched = Some(Instant::now());
                state.failure = None;
            }
            Err(reason) => state.failure = Some(reason),
        }
    }
}

impl fmt::Debug for Jwks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Jwks");
        if let Some(source) = &self.0.source {
            shown.field("url", &source.url);
        }
        shown.field("keys", &self.0.state.lock().keys.len()).finish()
    }
}

/// Reads a key set, and returns its keys that can verify signatures.
fn read(text: &[u8]) -> Result<Arc<[Arc<VerifyingKey>]>, JwksError> {
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<Value>,
    }
    let set: Set = serde_json::from_slice(text).map_err(|_| JwksError::NoSet)?;
    let keys: Arc<[_]> = set.keys.into_iter().filter_map(VerifyingKey::read).take(MAX_KEYS).map(Arc::new).collect();
    if keys.is_empty() { Err(JwksError::NoKey) } else { Ok(keys) }
}
