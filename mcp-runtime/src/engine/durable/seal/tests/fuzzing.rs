//! Properties that must hold for all inputs. `fuzz/` checks them for minutes, and the tests check them briefly.

use std::{str, sync::LazyLock};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{BoundRequest, Inauthentic, KeyRing, NONCE, ROOM, Seal, SealedEntry, VERSION};
use crate::wire::protocol::canonical::CanonicalArguments;

const CALL: SealedEntry<'_> = SealedEntry::Outcome { call: b"a call" };

static SEAL: LazyLock<Seal> = LazyLock::new(|| Seal::new(KeyRing::new([1; 32]).retired([2; 32])).largest_state(4096));

/// A state that an attacker knows and can modify.
static KNOWN: LazyLock<String> = LazyLock::new(|| {
    let sealed = SEAL.encrypt(&binding(), [3; NONCE], Vec::new(), b"known");
    format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(sealed))
});

/// A token that an attacker knows and can modify.
static KNOWN_TOKEN: LazyLock<String> = LazyLock::new(|| SEAL.write_token(&binding(), b"known"));

/// The first byte selects a property, which is checked with the other bytes.
pub(crate) fn drive(data: &[u8]) {
    let Some((what, data)) = data.split_first() else { return };
    match (what, str::from_utf8(data)) {
        (b'p', _) => invalid_padding_is_rejected(data),
        (b'o', _) => stored_bytes_round_trip(data),
        (b's', _) => stored_bytes_cannot_be_forged(data),
        (b't', Ok(text)) => a_state_cannot_be_forged(text),
        (b'a', Ok(text)) => canonicalizing_is_idempotent(text),
        (b'k', Ok(text)) => parsed_keys_can_be_found(text),
        _ => {}
    }
}

fn a_state_cannot_be_forged(text: &str) {
    match SEAL.open(&binding(), text) {
        Ok(journal) => assert!(text == *KNOWN && journal == b"known", "{text} was not sealed by this server"),
        Err(Inauthentic) => assert!(text != *KNOWN),
    }
    match SEAL.open_token(&binding(), text) {
        Ok(header) => assert!(text == *KNOWN_TOKEN && header == *b"known", "{text} was not written by this server"),
        Err(Inauthentic) => assert!(text != *KNOWN_TOKEN),
    }
}

fn stored_bytes_cannot_be_forged(data: &[u8]) {
    assert_eq!(SEAL.open_stored(&CALL, data), Err(Inauthentic));
}

/// Checks that stored bytes can be opened, unless one of the bytes is changed.
fn stored_bytes_round_trip(data: &[u8]) {
    let [low, high, change, plaintext @ ..] = data else { return };
    let mut sealed = SEAL.seal_stored(&CALL, plaintext);
    assert_eq!(SEAL.open_stored(&CALL, &sealed).as_deref(), Ok(plaintext));
    let place = usize::from(u16::from_le_bytes([*low, *high])) % sealed.len();
    sealed[place] ^= change;
    assert_eq!(SEAL.open_stored(&CALL, &sealed).is_ok(), *change == 0);
}

/// Checks that invalid padding is rejected, even if the ciphertext is authentic.
fn invalid_padding_is_rejected(data: &[u8]) {
    let mut sealed = [VERSION.as_bytes(), &[0; ROOM], data].concat();
    SEAL.encrypt_in_place(&CALL, [4; NONCE], &mut sealed, VERSION.len());
    if let Ok(plaintext) = SEAL.open_stored(&CALL, &sealed) {
        assert!(data.starts_with(&plaintext) && data[plaintext.len()] == 0x80);
    }
}

fn canonicalizing_is_idempotent(text: &str) {
    let canonical = CanonicalArguments::of(text);
    let again = str::from_utf8(canonical.as_bytes()).expect("text is made of text");
    assert_eq!(CanonicalArguments::of(again), canonical, "{text}");
}

fn parsed_keys_can_be_found(text: &str) {
    if let Ok(keys) = text.parse::<KeyRing>() {
        assert!(keys.find(&keys.newest().id).is_some());
    }
}

fn binding() -> BoundRequest<'static> {
    BoundRequest { method: "tools/call", tool: "book", arguments: "{}", principal: "" }
}
