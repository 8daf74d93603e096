//! The keys of an issuer, as they are now.

use std::{error::Error, fmt, sync::Arc, time::Duration};

use jsonwebtoken::Algorithm;
use serde::Deserialize;
use serde_json::Value;
use tokio::{sync::watch, time::Instant};

use super::{Key, TokenError, fetch::Fetch};
use crate::mutex::Mutex;

/// Keys are looked for again when they are so old.
const FRESH: Duration = Duration::from_secs(10 * 60);
/// So long nothing is fetched again, whatever unknown keys tokens name.
const PAUSE: Duration = Duration::from_secs(10);
/// The same while there are no keys at all.
const PAUSE_AT_FIRST: Duration = Duration::from_secs(1);
/// No issuer has more.
const MOST: usize = 100;

/// The public keys of an issuer of tokens: a JSON Web Key Set.
///
/// What cannot verify a signature is passed over: secrets, keys to encrypt with, kinds that are unknown. Clones share their
/// keys.
#[derive(Clone)]
pub struct Jwks(Arc<Shared>);

/// Why there are no keys.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JwksError {
    /// The text is no set of keys.
    #[error("this is no JSON Web Key Set: write `{{\"keys\": […]}}`")]
    NoSet,
    /// None of the keys can be used.
    #[error(
        "none of the keys verifies signatures: RSA of 2048 bits or more, P-256, P-384 and Ed25519 do, unless `use`, \
         `key_ops` or `alg` say otherwise"
    )]
    NoKey,
    /// The URL cannot be fetched from.
    #[error("the URL of the keys: {0}; write it as `https://auth.example.com/jwks.json`")]
    Url(&'static str),
    /// The system has no certificates to trust.
    #[error("the certificates of the system cannot be read")]
    Certificates(#[source] Box<dyn Error + Send + Sync>),
}

struct Shared {
    state: Mutex<State>,
    /// Where they are fetched from.
    source: Option<Fetch>,
}

#[derive(Default)]
struct State {
    keys: Arc<[Arc<Key>]>,
    /// When they were last fetched.
    fetched: Option<Instant>,
    /// When that was last begun.
    tried: Option<Instant>,
    /// Why it did not succeed.
    failure: Option<String>,
    /// Closed when the fetch is done that is under way.
    under_way: Option<watch::Receiver<()>>,
}

impl Jwks {
    /// The keys of this set: `{"keys": [{"kty": "RSA", …}]}`.
    ///
    /// # Errors
    /// It is no set, or none of its keys can be used.
    pub fn from_json(text: &str) -> Result<Self, JwksError> {
        let state = State { keys: read(text.as_bytes())?, ..State::default() };
        Ok(Self(Arc::new(Shared { state: Mutex::new(state), source: None })))
    }

    /// The keys that stand at this URL, which the issuer calls its `jwks_uri`: `https://auth.example.com/jwks.json`. `http`
    /// is for the machine itself.
    ///
    /// They are fetched with the first token, every 10 minutes after that, and when a token names a key that is unknown, but
    /// then not more often than every 10 seconds. A fetch that fails changes nothing; the operator is told. Neither proxies
    /// nor redirects are followed.
    ///
    /// # Errors
    /// It is no such URL, or nothing could be trusted there.
    pub fn from_url(url: &str) -> Result<Self, JwksError> {
        let source = Some(Fetch::new(url)?);
        Ok(Self(Arc::new(Shared { state: Mutex::default(), source })))
    }

    /// The keys that may have signed a token.
    ///
    /// # Errors
    /// The key it names is unknown, and nobody could be asked for it.
    pub(super) async fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Result<Vec<Arc<Key>>, TokenError> {
        if let Some(keys) = self.known(id, algorithm) {
            return Ok(keys);
        }
        if let Some(mut under_way) = self.fetch() {
            // Its sender is dropped when it is done, and says nothing before.
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

    /// The same of those at hand. `None` if there might be others.
    fn known(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Vec<Arc<Key>>> {
        let (keys, is_old) = {
            let state = self.0.state.lock();
            let is_old = state.fetched.is_some_and(|fetched| fetched.elapsed() >= FRESH);
            (Arc::clone(&state.keys), is_old)
        };
        if is_old {
            // This token does not wait for it.
            drop(self.fetch());
        }
        let mut named = keys.iter().filter(|key| key.may_be(id)).peekable();
        named.peek()?;
        Some(named.filter(|key| key.has(algorithm)).cloned().collect())
    }

    /// Begins to fetch the keys, unless somebody does. `None` if that was done just now.
    fn fetch(&self) -> Option<watch::Receiver<()>> {
        self.0.source.as_ref()?;
        let mut state = self.0.state.lock();
        // One that has closed without having been taken away was of a runtime that ended.
        if let Some(under_way) = state.under_way.as_ref().filter(|under_way| under_way.has_changed().is_ok()) {
            return Some(under_way.clone());
        }
        let pause = if state.keys.is_empty() { PAUSE_AT_FIRST } else { PAUSE };
        if state.tried.is_some_and(|tried| tried.elapsed() < pause) {
            return None;
        }
        let (done, under_way) = watch::channel(());
        state.tried = Some(Instant::now());
        state.under_way = Some(under_way.clone());
        let shared = Arc::clone(&self.0);
        // Not in the request that needs them: it may be dropped, and others wait.
        tokio::spawn(async move {
            shared.refresh().await;
            drop(done);
        });
        Some(under_way)
    }
}

impl Shared {
    async fn refresh(&self) {
        let Some(source) = &self.source else { return };
        let keys = match source.fetch().await {
            Ok(text) => read(&text).map_err(|error| error.to_string()),
            Err(reason) => Err(reason),
        };
        if let Err(reason) = &keys {
            crate::report!("the keys of tokens at {} cannot be fetched: {reason}", source.url());
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
            shown.field("url", &source.url());
        }
        shown.field("keys", &self.0.state.lock().keys.len()).finish()
    }
}

/// The keys of a set that can be used.
fn read(text: &[u8]) -> Result<Arc<[Arc<Key>]>, JwksError> {
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<Value>,
    }
    let set: Set = serde_json::from_slice(text).map_err(|_| JwksError::NoSet)?;
    let keys: Arc<[_]> = set.keys.into_iter().filter_map(Key::read).take(MOST).map(Arc::new).collect();
    if keys.is_empty() { Err(JwksError::NoKey) } else { Ok(keys) }
}
