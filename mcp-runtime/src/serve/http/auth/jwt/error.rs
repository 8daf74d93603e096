//! Errors of key sets.

use std::error::Error;

/// An error of [`Jwks::from_json`](super::Jwks::from_json) and [`Jwks::from_url`](super::Jwks::from_url).
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
