//! Signed tokens, created by another implementation: `jwt/tokens.py`.

mod endpoint;
mod https;
mod keys;

use std::sync::LazyLock;

use mcp_runtime::{
    Principal,
    auth::{BearerToken, Jwks, JwksError, JwtVerifier, TokenError, TokenVerifier},
};
use serde_json::{Value, json};

pub(crate) static TOKENS: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("jwt/tokens.json")).unwrap());

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub(crate) fn verifier(keys: Jwks) -> JwtVerifier {
    JwtVerifier::new("https://auth.example.com", keys)
}

pub(crate) async fn verify(verifier: &JwtVerifier, token: &str) -> Result<Principal, TokenError> {
    verifier.verify(BearerToken::new(token, "https://mcp.example.com/mcp")).await
}

fn inline() -> Jwks {
    Jwks::from_json(&TOKENS["jwks"].to_string()).unwrap()
}

#[tokio::test]
async fn accepts_every_algorithm_and_notation() {
    let verifier = verifier(inline());
    for (name, token) in TOKENS["good"].as_object().unwrap() {
        let principal = verify(&verifier, text(token)).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(principal.name(), "https://auth.example.com#ann", "{name}");
    }
}

#[tokio::test]
async fn reads_scopes_from_scope_or_scp() {
    let verifier = verifier(inline());
    for (name, granted) in [
        ("RS256", &["flights:read", "openid"][..]),
        ("ES256", &["flights:read"]),
        ("ES384", &["flights:read"]),
        ("EdDSA", &["flights:write", "flights:read"]),
        ("PS256", &[]),
    ] {
        let principal = verify(&verifier, text(&TOKENS["good"][name])).await.unwrap();
        assert_eq!(principal.granted().collect::<Vec<_>>(), granted, "{name}");
    }
    let principal = verify(&verifier, text(&TOKENS["good"]["other claims"])).await.unwrap();
    assert_eq!(principal.claim("email"), Some(&json!("ann@example.com")));
    assert_eq!(principal.claim("act"), Some(&json!({ "sub": "agent" })));
}

#[tokio::test]
async fn names_the_reason_for_each_invalid_token() {
    let verifier = verifier(inline());
    for (name, case) in TOKENS["bad"].as_object().unwrap() {
        let error = verify(&verifier, text(&case[0])).await.expect_err(name);
        assert_eq!(error.to_string(), text(&case[1]), "{name}");
        assert!(!matches!(error, TokenError::Unavailable { .. }), "{name}");
    }
}

#[tokio::test]
async fn rejects_a_token_truncated_or_changed_anywhere() {
    let verifier = verifier(inline());
    let good = text(&TOKENS["good"]["EdDSA"]);
    for end in 0..good.len() {
        assert!(verify(&verifier, &good[..end]).await.is_err(), "cut at {end}");
    }
    for place in 0..good.len() {
        for by in ["A", "_", ".", "=", "\u{e9}"] {
            let changed = format!("{}{by}{}", &good[..place], &good[place + 1..]);
            let verified = verify(&verifier, &changed).await;
            assert!(verified.is_err() || changed == good, "{by} at {place}");
        }
    }
}

#[tokio::test]
async fn a_configured_audience_replaces_the_resource() {
    let verifier = verifier(inline()).audience("api://flights").audience("api://other");
    assert!(verify(&verifier, text(&TOKENS["api"])).await.is_ok());
    let error = verify(&verifier, text(&TOKENS["good"]["RS256"])).await.unwrap_err();
    assert_eq!(error.to_string(), "the token is for another audience");
}

#[test]
fn rejects_a_key_set_without_a_usable_key() {
    for text in ["", "{}", "[]", r#"{"keys":7}"#] {
        assert!(matches!(Jwks::from_json(text), Err(JwksError::NoSet)), "{text}");
    }
    let unfit = TOKENS["jwks"]["keys"].as_array().unwrap()[..8].to_vec();
    for keys in [vec![], unfit] {
        let error = Jwks::from_json(&json!({ "keys": keys }).to_string()).unwrap_err();
        assert!(matches!(error, JwksError::NoKey), "{error}");
    }
    assert_eq!(format!("{:?}", inline()), "Jwks { keys: 5 }");
}

#[test]
fn key_urls_need_https_or_loopback() {
    for url in ["http://auth.example.com/jwks.json", "ftp://localhost/jwks.json", "jwks.json", "https://a@b/jwks.json"]
    {
        assert!(matches!(Jwks::from_url(url), Err(JwksError::Url(_))), "{url}");
    }
    let keys = Jwks::from_url("http://localhost:9000/jwks.json?tenant=1").unwrap();
    assert_eq!(format!("{keys:?}"), r#"Jwks { url: http://localhost:9000/jwks.json?tenant=1, keys: 0 }"#);
}
