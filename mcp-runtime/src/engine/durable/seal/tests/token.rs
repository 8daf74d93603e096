//! Tests of tokens: what they reveal, and that everything that is not authentic is rejected.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use blake3::OUT_LEN;

use super::{
    super::{token::VERSION as TOKEN, *},
    JOURNAL, KEY, binding, seal, seal_journal,
};

/// A header, and one of another call that differs in one bit.
const HEADER: [u8; 41] = [5; 41];
const OTHER: [u8; 41] = {
    let mut other = HEADER;
    other[40] ^= 1;
    other
};

fn open(seal: &Seal, binding: &BoundRequest<'_>, state: &str) -> Result<[u8; 41], Inauthentic> {
    seal.open_token(binding, state)
}

fn token() -> String {
    seal().write_token(&binding(), &HEADER)
}

/// Returns the bytes of a token after its version.
fn bytes(token: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(&token[TOKEN.len()..]).unwrap()
}

#[test]
fn token_matches_the_golden_text() {
    let golden =
        "t1.8iFq400MPokjXQZR1XB6sftdY3zaI9Lqk0jNIYy2_hxTvqzUXeYnSKCq-C5hjIcTlboiRkpXpuTiULZ5VOnEMd8NF_LYKSlfs388bLnzjg";
    assert_eq!(token(), golden, "existing tokens would not open any more");
    assert_eq!(open(&seal(), &binding(), golden), Ok(HEADER));
}

#[test]
fn rejects_a_token_with_any_bit_flipped() {
    let (seal, token) = (seal(), token());
    for place in 0..token.len() {
        for bit in 0..7 {
            let mut bytes = token.clone().into_bytes();
            bytes[place] ^= 1 << bit;
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(open(&seal, &binding(), &text), Err(Inauthentic), "bit {bit} of byte {place}");
        }
        assert_eq!(open(&seal, &binding(), &token[..place]), Err(Inauthentic));
        assert_eq!(open(&seal, &binding(), &token[token.len() - place..]), Err(Inauthentic));
    }
    for other in [format!("{token}="), format!("{token}A"), format!(" {token}"), format!("{token}{token}")] {
        assert_eq!(open(&seal, &binding(), &other), Err(Inauthentic), "{other}");
    }
}

#[test]
fn another_request_does_not_open_a_token() {
    for other in [
        BoundRequest { method: "prompts/get", ..binding() },
        BoundRequest { tool: "cancel_flight", ..binding() },
        BoundRequest { arguments: r#"{"to":"LIS","seats":3}"#, ..binding() },
        BoundRequest { principal: "https://login.example adb", ..binding() },
        BoundRequest { principal: "", ..binding() },
        // The same letters, divided differently.
        BoundRequest { method: "tools/callb", tool: "ook_flight", ..binding() },
    ] {
        assert_eq!(open(&seal(), &other, &token()), Err(Inauthentic), "{other:?}");
    }
}

#[test]
fn another_key_does_not_open_a_token() {
    let other = Seal::new(KeyRing::new([8; 32]));
    assert_eq!(open(&other, &binding(), &token()), Err(Inauthentic));
    // The other key does not open a token that names its id either. The id is not a secret.
    let mut claimed = bytes(&token());
    claimed[..KEY_ID].copy_from_slice(&other.keys.newest().id);
    assert_eq!(open(&other, &binding(), &format!("{TOKEN}{}", URL_SAFE_NO_PAD.encode(claimed))), Err(Inauthentic));
}

#[test]
fn a_retired_key_opens_tokens_and_writes_none() {
    let both = Seal::new(KeyRing::new([8; 32]).retired(KEY));
    assert_eq!(open(&both, &binding(), &token()), Ok(HEADER));
    assert_eq!(open(&seal(), &binding(), &both.write_token(&binding(), &HEADER)), Err(Inauthentic));
}

#[test]
fn parts_of_two_tokens_do_not_make_a_third() {
    let (one, other) = (bytes(&token()), bytes(&seal().write_token(&binding(), &OTHER)));
    for cut in 1..one.len() {
        let spliced = [&one[..cut], &other[cut..]].concat();
        let opened = open(&seal(), &binding(), &format!("{TOKEN}{}", URL_SAFE_NO_PAD.encode(&spliced)));
        assert!(opened.is_err() || spliced == one || spliced == other, "cut at {cut}");
    }
}

#[test]
fn tokens_and_sealed_states_are_not_interchangeable() {
    let (seal, token) = (seal(), token());
    let state = seal_journal(&seal, &binding(), JOURNAL).unwrap();
    assert!(Seal::is_token(&token) && !Seal::is_token(&state));
    assert_eq!(seal.open(&binding(), &token), Err(Inauthentic));
    assert_eq!(open(&seal, &binding(), &state), Err(Inauthentic));
    assert_eq!(seal.open(&binding(), &format!("{VERSION}{}", &token[TOKEN.len()..])), Err(Inauthentic));
    let length = token.len() - TOKEN.len();
    assert_eq!(open(&seal, &binding(), &format!("{TOKEN}{}", &state[VERSION.len()..][..length])), Err(Inauthentic));
}

#[test]
fn the_keys_of_tags_and_of_masks_differ() {
    let key = KeyRing::new(KEY).newest().clone();
    assert_ne!(*key.token.tags, *key.token.masks);
}

#[test]
fn a_token_reveals_nothing_about_its_header() {
    // One bit of the header changes about half of the bits of the token behind the id of the key.
    let (one, other) = (bytes(&token()), bytes(&seal().write_token(&binding(), &OTHER)));
    let differing = |from: usize| {
        let pairs = one[from..].iter().zip(&other[from..]);
        pairs.map(|(one, other)| (one ^ other).count_ones()).sum::<u32>()
    };
    let (all, masked) = (differing(KEY_ID), differing(KEY_ID + OUT_LEN));
    assert!((220..=365).contains(&all) && (110..=218).contains(&masked), "{all} of 584 bits, {masked} of 328");
}
