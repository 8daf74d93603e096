//! Tests of tokens that expire close to the current time. Each test signs its own tokens.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::json;

use super::{BearerToken, Jwks, JwtVerifier, TokenVerifier as _};

/// Created for this test by `openssl genpkey -algorithm ed25519 -outform DER`.
const PRIVATE: &str = "MC4CAQAwBQYDK2VwBCIEIHuQYoyzb1/aGaTujHRE0txlHa9Ysx6L6vQRCiouOcct";
const PUBLIC: &str = r#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"5zK5CyZdaZAkVR9aseOlG5i8-f2rZc_0hY8VnxWT_xo"}]}"#;

/// Verifies a token that is valid from `from` seconds to `to` seconds after the current time.
async fn verified(verifier: &JwtVerifier, from: i64, to: i64) -> Result<(), String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let claims = json!({
        "iss": "https://auth.example.com",
        "sub": "ann",
        "aud": "https://mcp.example.com/mcp",
        "nbf": now.saturating_add_signed(from),
        "exp": now.saturating_add_signed(to),
    });
    let key = EncodingKey::from_ed_der(&STANDARD.decode(PRIVATE).unwrap());
    let token = encode(&Header::new(Algorithm::EdDSA), &claims, &key).unwrap();
    let verified = verifier.verify(BearerToken::new(&token, "https://mcp.example.com/mcp")).await;
    verified.map(drop).map_err(|error| error.to_string())
}

fn verifier() -> JwtVerifier {
    JwtVerifier::new("https://auth.example.com", Jwks::from_json(PUBLIC).unwrap())
}

#[tokio::test]
async fn tolerates_a_clock_difference_up_to_the_leeway() {
    let (expired, early) = (Err("the token has expired".to_owned()), Err("the token is not valid yet".to_owned()));
    let usual = verifier();
    assert_eq!(verified(&usual, -9, 9).await, Ok(()));
    assert_eq!(verified(&usual, -99, -20).await, Ok(()));
    assert_eq!(verified(&usual, -99, -40).await, expired);
    assert_eq!(verified(&usual, 20, 99).await, Ok(()));
    assert_eq!(verified(&usual, 40, 99).await, early);
    let strict = verifier().leeway(Duration::ZERO);
    assert_eq!(verified(&strict, -99, -5).await, expired);
    assert_eq!(verified(&strict, 5, 99).await, early);
    let lax = verifier().leeway(Duration::MAX);
    assert_eq!(verified(&lax, -99999, -590).await, Ok(()));
    assert_eq!(verified(&lax, -99999, -610).await, expired, "the leeway is at most 10 minutes");
}
