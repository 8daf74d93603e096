//! Tests of each byte of the format, and of what sealed text reveals without the key.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{super::*, JOURNAL, KEY, binding, seal, seal_journal};

/// Texts sealed with [`KEY`] and the nonce 0, 1, 2 … 23, for [`binding`] or the call `call 1`. They contain
/// [`JOURNAL`].
const GOLDEN: &str = include_str!("golden.txt");

#[test]
fn format_matches_the_golden_file() {
    let nonce = std::array::from_fn(|index| index as u8);
    let seal = seal();
    let text = |sealed: Vec<u8>| URL_SAFE_NO_PAD.encode(sealed);
    let lines = [
        format!("state {VERSION}{}", text(seal.encrypt(&binding(), nonce, Vec::new(), JOURNAL))),
        format!(
            "outcome {}",
            text(seal.encrypt(&SealedEntry::Outcome { call: b"call 1" }, nonce, VERSION.into(), JOURNAL))
        ),
        format!(
            "journal {}",
            text(seal.encrypt(&SealedEntry::Journal { call: b"call 1" }, nonce, VERSION.into(), JOURNAL))
        ),
    ];
    for (line, golden) in lines.iter().zip(GOLDEN.lines()) {
        assert_eq!(line, golden, "existing states would not open any more");
    }
    assert_eq!(GOLDEN.lines().count(), lines.len());
}

#[test]
fn golden_file_opens() {
    let line = |name: &str| GOLDEN.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    let bytes = |name: &str| URL_SAFE_NO_PAD.decode(line(name)).unwrap();
    let seal = seal();
    assert_eq!(seal.open(&binding(), line("state ")).as_deref(), Ok(JOURNAL));
    let stored = SealedEntry::Outcome { call: b"call 1" };
    assert_eq!(seal.open_stored(&stored, &bytes("outcome ")).as_deref(), Ok(JOURNAL));
    let stored = SealedEntry::Journal { call: b"call 1" };
    assert_eq!(seal.open_stored(&stored, &bytes("journal ")).as_deref(), Ok(JOURNAL));
}

#[test]
fn length_reveals_only_the_number_of_blocks() {
    let length = |journal: usize| seal_journal(&seal(), &binding(), &vec![1; journal]).unwrap().len();
    for journal in 0..=255 {
        assert_eq!(length(journal), length(0), "{journal} bytes");
    }
    for journal in 256..=511 {
        assert_eq!(length(journal), length(256), "{journal} bytes");
    }
    assert!(length(0) < length(256) && length(256) < length(512));
    assert_eq!(seal().seal_stored(&SealedEntry::Outcome { call: b"" }, &[1; 255]).len(), 3 + 30 + 256 + 16);
}

#[test]
fn sealed_text_contains_no_part_of_the_journal() {
    let state = seal_journal(&seal(), &binding(), JOURNAL).unwrap();
    let bytes = URL_SAFE_NO_PAD.decode(&state[VERSION.len()..]).unwrap();
    for window in JOURNAL.windows(4) {
        assert!(!bytes.windows(4).any(|other| other == window));
        assert!(!state.as_bytes().windows(4).any(|other| other == window));
    }
}

#[test]
fn sealing_the_same_journal_twice_gives_different_states() {
    let sealed =
        || URL_SAFE_NO_PAD.decode(&seal_journal(&seal(), &binding(), JOURNAL).unwrap()[VERSION.len()..]).unwrap();
    let (first, second) = (sealed(), sealed());
    assert_eq!(first[..KEY_ID], second[..KEY_ID]);
    let same = first[KEY_ID..].iter().zip(&second[KEY_ID..]).filter(|(first, second)| first == second).count();
    // About one in 256 bytes is equal by chance.
    assert!(same < 20, "{same} of {} bytes", first.len());
}

#[test]
fn debug_output_does_not_contain_the_key() {
    let ring = KeyRing::new(KEY);
    let shown = format!("{ring:?} {:?}", seal());
    assert_eq!(shown, "[Key(\"f2216ae34d0c\")] Seal { keys: [Key(\"f2216ae34d0c\")], largest_state: 32768 }");
}
