//! Tests that everything that is not authentic is rejected with the same error.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use proptest::prelude::*;

use super::{
    super::{keyring::Purpose, *},
    JOURNAL, KEY, binding, seal, seal_journal,
};

const OUTCOME: SealedEntry<'_> = SealedEntry::Outcome { call: b"call 1" };

#[test]
fn error_text_is_stable() {
    assert_eq!(
        Inauthentic.to_string(),
        "`requestState` does not belong to this request; send the request again without it"
    );
}

#[test]
fn rejects_a_state_with_any_bit_flipped() {
    let seal = seal();
    let state = seal_journal(&seal, &binding(), JOURNAL).unwrap();
    assert_eq!(seal.open(&binding(), &state).as_deref(), Ok(JOURNAL));
    for place in 0..state.len() {
        for bit in 0..7 {
            let mut bytes = state.clone().into_bytes();
            bytes[place] ^= 1 << bit;
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(seal.open(&binding(), &text), Err(Inauthentic), "bit {bit} of byte {place}");
        }
    }
}

#[test]
fn rejects_stored_bytes_with_any_bit_flipped() {
    let seal = seal();
    let stored = seal.seal_stored(&OUTCOME, JOURNAL);
    assert_eq!(seal.open_stored(&OUTCOME, &stored).as_deref(), Ok(JOURNAL));
    for place in 0..stored.len() {
        for bit in 0..8 {
            let mut bytes = stored.clone();
            bytes[place] ^= 1 << bit;
            assert_eq!(seal.open_stored(&OUTCOME, &bytes), Err(Inauthentic), "bit {bit} of byte {place}");
        }
    }
}

#[test]
fn rejects_truncated_text() {
    let seal = seal();
    let state = seal_journal(&seal, &binding(), JOURNAL).unwrap();
    let stored = seal.seal_stored(&OUTCOME, JOURNAL);
    for length in 0..state.len() {
        assert_eq!(seal.open(&binding(), &state[..length]), Err(Inauthentic));
        assert_eq!(seal.open(&binding(), &state[state.len() - length..]), Err(Inauthentic));
    }
    for start in VERSION.len() + 1..state.len() {
        assert_eq!(seal.open(&binding(), &format!("{VERSION}{}", &state[start..])), Err(Inauthentic));
    }
    for length in 0..stored.len() {
        assert_eq!(seal.open_stored(&OUTCOME, &stored[..length]), Err(Inauthentic));
    }
}

#[test]
fn rejects_other_spellings_of_a_state() {
    let seal = seal();
    let state = seal_journal(&seal, &binding(), JOURNAL).unwrap();
    let text = &state[VERSION.len()..];
    let others = [
        format!("{state}="),
        format!("{state}A"),
        format!("{state}tampered"),
        format!("{state}\n"),
        format!(" {state}"),
        format!("v0.{text}"),
        format!("v2.{text}"),
        format!("V1.{text}"),
        text.to_owned(),
        format!("{state}{state}"),
        state.to_ascii_lowercase(),
        String::from_utf8_lossy(&seal.seal_stored(&OUTCOME, JOURNAL)).into_owned(),
    ];
    for other in others {
        assert_eq!(seal.open(&binding(), &other), Err(Inauthentic), "{other}");
    }
}

#[test]
fn another_request_does_not_open_a_state() {
    let seal = seal();
    let state = seal_journal(&seal, &binding(), JOURNAL).unwrap();
    let others = [
        BoundRequest { method: "prompts/get", ..binding() },
        BoundRequest { tool: "book_fligh", ..binding() },
        BoundRequest { tool: "cancel_flight", ..binding() },
        BoundRequest { arguments: r#"{"to":"LIS","seats":3}"#, ..binding() },
        BoundRequest { principal: "https://login.example adb", ..binding() },
        BoundRequest { principal: "", ..binding() },
        // The same letters, divided differently.
        BoundRequest { method: "tools/callb", tool: "ook_flight", ..binding() },
        BoundRequest { method: "tools/cal", tool: "lbook_flight", ..binding() },
    ];
    for other in others {
        assert_eq!(seal.open(&other, &state), Err(Inauthentic), "{other:?}");
    }
    assert!(seal.open(&binding(), &state).is_ok());
}

#[test]
fn stored_bytes_belong_to_one_call_and_one_kind() {
    let seal = seal();
    let stored = seal.seal_stored(&OUTCOME, JOURNAL);
    for other in [
        SealedEntry::Outcome { call: b"call 2" },
        SealedEntry::Outcome { call: b"" },
        SealedEntry::Journal { call: b"call 1" },
    ] {
        assert_eq!(seal.open_stored(&other, &stored), Err(Inauthentic), "{other:?}");
    }
    let as_state = format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(&stored[VERSION.len()..]));
    assert_eq!(seal.open(&binding(), &as_state), Err(Inauthentic));
}

#[test]
fn each_purpose_has_its_own_key() {
    // The same bytes for all three purposes: only the key differs.
    let key = KeyRing::new(KEY).newest().clone();
    let encrypted = [Purpose::State, Purpose::Outcome, Purpose::Journal].map(|purpose| {
        let mut text = [0; 32];
        key.cipher(purpose).encrypt_inout_detached(&XNonce::from([0; NONCE]), b"", text.as_mut().into()).unwrap();
        text
    });
    assert!(encrypted[0] != encrypted[1] && encrypted[1] != encrypted[2] && encrypted[0] != encrypted[2]);
}

#[test]
fn another_key_does_not_open_a_state() {
    let state = seal_journal(&seal(), &binding(), JOURNAL).unwrap();
    assert_eq!(Seal::new(KeyRing::new([8; 32])).open(&binding(), &state), Err(Inauthentic));
    assert_eq!(Seal::new(KeyRing::random()).open(&binding(), &state), Err(Inauthentic));

    // The other key does not open a state that names its id either. The id is not a secret.
    let mut claimed = URL_SAFE_NO_PAD.decode(&state[VERSION.len()..]).unwrap();
    let other = Seal::new(KeyRing::new([8; 32]));
    claimed[..KEY_ID].copy_from_slice(&other.keys.newest().id);
    assert_eq!(other.open(&binding(), &format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(claimed))), Err(Inauthentic));
}

#[test]
fn a_retired_key_opens_and_does_not_seal() {
    let old = seal();
    let both = Seal::new(KeyRing::new([8; 32]).retired(KEY));
    let new = Seal::new(KeyRing::new([8; 32]));
    let of_old = seal_journal(&old, &binding(), JOURNAL).unwrap();
    let of_both = seal_journal(&both, &binding(), JOURNAL).unwrap();
    assert_eq!(both.open(&binding(), &of_old).as_deref(), Ok(JOURNAL));
    assert_eq!(new.open(&binding(), &of_both).as_deref(), Ok(JOURNAL));
    assert_eq!(old.open(&binding(), &of_both), Err(Inauthentic));
    assert_eq!(new.open(&binding(), &of_old), Err(Inauthentic));
}

#[test]
fn rejects_invalid_padding() {
    let seal = seal();
    let text = |plaintext: &[u8]| {
        let mut sealed = [&[0; ROOM][..], plaintext].concat();
        seal.encrypt_in_place(&binding(), [0; NONCE], &mut sealed, 0);
        format!("{VERSION}{}", URL_SAFE_NO_PAD.encode(sealed))
    };
    for plaintext in [&b""[..], &[0; 256], b"journal", b"journal\x81\0\0"] {
        assert_eq!(seal.open(&binding(), &text(plaintext)), Err(Inauthentic), "{plaintext:?}");
    }
}

#[test]
fn largest_state_is_a_limit_for_sealing_and_opening() {
    let seal = || seal().largest_state(1000);
    // 30 + 512 + 16 bytes are 744 characters, 30 + 768 + 16 are 1086.
    let state = seal_journal(&seal(), &binding(), &[1; 511]).unwrap();
    assert_eq!(state.len(), 3 + 744);
    assert_eq!(seal_journal(&seal(), &binding(), &[1; 512]), Err(TooLarge));
    assert_eq!(seal().largest_state(746).open(&binding(), &state), Err(Inauthentic));
    assert_eq!(seal().largest_state(747).open(&binding(), &state).as_deref(), Ok(&[1; 511][..]));
    assert_eq!(seal_journal(&seal().largest_state(747), &binding(), &[1; 511]).map(|state| state.len()), Ok(747));
    assert_eq!(seal_journal(&seal().largest_state(746), &binding(), &[1; 511]), Err(TooLarge));
    assert_eq!(seal_journal(&seal(), &binding(), &[1; 10_000_000]), Err(TooLarge));
}

proptest! {
    #[test]
    fn sealed_states_open(journal in prop::collection::vec(any::<u8>(), 0..2000), principal in ".*") {
        let binding = BoundRequest { principal: &principal, ..binding() };
        let state = seal_journal(&seal(), &binding, &journal).unwrap();
        prop_assert_eq!(seal().open(&binding, &state), Ok(journal));
    }

    #[test]
    fn properties_hold_for_arbitrary_bytes(what in "[postak]", data in prop::collection::vec(any::<u8>(), 0..600)) {
        fuzzing::drive(&[what.as_bytes(), &data].concat());
    }

    #[test]
    fn properties_hold_for_arbitrary_text(
        what in "[tak]",
        start in prop::sample::select(&["", "v1.", "t1.", "{\"a\":", "[1e", "\"\\ud8"][..]),
        text in "[ -~\\PC]{0,80}",
    ) {
        fuzzing::drive(format!("{what}{start}{text}").as_bytes());
    }
}
