//! One key of an issuer, and the algorithms that it can verify.

use jsonwebtoken::{
    Algorithm, DecodingKey,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse},
};
use serde_json::Value;

/// The minimum size of an RSA modulus, in bytes. It is the size of a modulus of 2048 bits.
const MIN_MODULUS_BYTES: usize = 256;

pub(super) struct VerifyingKey {
    id: Option<String>,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) decoding: DecodingKey,
}

impl VerifyingKey {
    /// Reads a key. Returns `None` for a key that cannot verify signatures: a secret, an encryption key, or a key with
    /// an unknown curve or algorithm.
    pub(super) fn read(jwk: Value) -> Option<Self> {
        let jwk: Jwk = serde_json::from_value(jwk).ok()?;
        let common = &jwk.common;
        if common.public_key_use.as_ref().is_some_and(|usage| *usage != PublicKeyUse::Signature)
            || common.key_operations.as_ref().is_some_and(|operations| !operations.contains(&KeyOperations::Verify))
        {
            return None;
        }
        let mut algorithms = algorithms(&jwk.algorithm)?;
        if let Some(only) = common.key_algorithm {
            let only = Algorithm::try_from(only).ok()?;
            algorithms.retain(|algorithm| *algorithm == only);
        }
        if algorithms.is_empty() {
            return None;
        }
        Some(Self { id: common.key_id.clone(), algorithms, decoding: DecodingKey::from_jwk(&jwk).ok()? })
    }

    /// Whether this key may have signed a token with the key ID `id`. Returns `true` if the token or the key has no ID.
    pub(super) fn may_be(&self, id: Option<&str>) -> bool {
        match (&self.id, id) {
            (Some(own), Some(id)) => own == id,
            _ => true,
        }
    }
}

/// Returns the algorithms that a key of this kind allows. The token must not choose the algorithm, because an attacker
/// would choose a weak one.
fn algorithms(parameters: &AlgorithmParameters) -> Option<Vec<Algorithm>> {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    match parameters {
        AlgorithmParameters::RSA(rsa) if rsa.n.len() * 3 / 4 >= MIN_MODULUS_BYTES => {
            Some(vec![RS256, RS384, RS512, PS256, PS384, PS512])
        }
        AlgorithmParameters::EllipticCurve(key) => match key.curve {
            EllipticCurve::P256 => Some(vec![ES256]),
            EllipticCurve::P384 => Some(vec![ES384]),
            _ => None,
        },
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Some(vec![EdDSA]),
        _ => None,
    }
}
