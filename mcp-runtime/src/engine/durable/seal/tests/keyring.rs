//! Tests of parsing the operator's keys, and of the errors.

use std::env::VarError;

use super::super::{KeyRing, KeyRingError};

const ONE: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const TWO: &str = "__________________________________________8";

fn ids(ring: &KeyRing) -> String {
    format!("{ring:?}")
}

fn refused(text: &str) -> String {
    text.parse::<KeyRing>().expect_err("no keys").to_string()
}

const HELP: &str = "; give one or more keys, separated by commas; the server encrypts with the first key; a key is \
                    32 random bytes in base64: `openssl rand -base64 32` prints one";

#[test]
fn reads_the_key_that_seals_first() {
    let ring: KeyRing = format!("{ONE},{TWO}").parse().unwrap();
    assert_eq!(ids(&ring), ids(&KeyRing::new([1; 32]).retired([0xff; 32])));
    assert_ne!(ids(&ring), ids(&KeyRing::new([0xff; 32]).retired([1; 32])));
}

#[test]
fn accepts_both_base64_alphabets_and_optional_padding() {
    let of_two = ids(&KeyRing::new([0xff; 32]));
    for text in [TWO, &format!("{TWO}="), &TWO.replace('_', "/"), &format!(" {TWO}\n")] {
        assert_eq!(ids(&text.parse().unwrap()), of_two, "{text}");
    }
}

#[test]
fn rejects_invalid_keys_with_advice() {
    let cases = [
        (String::new(), "key 1 is empty"),
        (" ".into(), "key 1 is empty"),
        (format!("{ONE},"), "key 2 is empty"),
        ("correct horse battery staple".into(), "key 1 is not base64"),
        (format!("{ONE},{}", &ONE[..41]), "key 2 is not base64"),
        (format!("{ONE} {ONE}"), "key 1 is not base64"),
        ("c2VjcmV0".into(), "key 1 is 6 bytes long, not 32"),
        (ONE[..42].into(), "key 1 is 31 bytes long, not 32"),
        // `openssl rand -hex 32`
        ("0123456789abcdef".repeat(4), "key 1 is 48 bytes long, not 32"),
        (format!("{ONE},{TWO},{ONE}"), "key 3 repeats key 1"),
    ];
    for (text, reason) in cases {
        assert_eq!(refused(&text), format!("{reason}{HELP}"));
    }
}

#[test]
fn errors_name_the_variable() {
    let refused = |variable| KeyRing::from_variable(variable).unwrap_err().to_string();
    assert_eq!(refused(Ok("c2VjcmV0".into())), format!("`MCP_STATE_KEY`: key 1 is 6 bytes long, not 32{HELP}"));
    assert_eq!(refused(Ok(String::new())), format!("`MCP_STATE_KEY`: key 1 is empty{HELP}"));
    let not_unicode = VarError::NotUnicode("".into());
    assert_eq!(refused(Err(not_unicode)), format!("`MCP_STATE_KEY`: the value is not valid Unicode{HELP}"));
}

#[test]
fn unset_variable_gives_no_ring() {
    assert!(matches!(KeyRing::from_variable(Err(VarError::NotPresent)), Ok(None)));
    let ring = KeyRing::from_variable(Ok(ONE.into())).unwrap().unwrap();
    assert_eq!(ids(&ring), ids(&KeyRing::new([1; 32])));
}

#[test]
fn errors_do_not_contain_the_key() {
    let secret = "c2VjcmV0";
    let error: KeyRingError = secret.parse::<KeyRing>().unwrap_err();
    assert!(!format!("{error} {error:?}").contains(secret));
}

#[test]
fn duplicate_keys_are_ignored() {
    let ring = KeyRing::new([1; 32]).retired([1; 32]).retired([2; 32]).retired([2; 32]);
    assert_eq!(ids(&ring), ids(&KeyRing::new([1; 32]).retired([2; 32])));
}

#[test]
fn random_keys_differ() {
    assert_ne!(ids(&KeyRing::random()), ids(&KeyRing::random()));
}
