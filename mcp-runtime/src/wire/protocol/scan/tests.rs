//! Compares the scanner with `serde_json`.

use proptest::prelude::*;
use serde::de::IgnoredAny;

use super::*;

/// Returns the scanner's and `serde_json`'s verdict on a text. Lone surrogates are not compared.
fn verdicts(text: &str) -> (bool, bool) {
    let mut scanner = Scanner::new(text);
    let ours = scanner.value().and_then(|_| scanner.end()).is_ok();
    (ours, serde_json::from_str::<IgnoredAny>(text).is_ok())
}

#[test]
fn agrees_with_serde_json_on_what_is_json() {
    let texts = [
        "",
        " ",
        "{}",
        "[]",
        "[ ]",
        "{ }",
        " null ",
        "nul",
        "nulll",
        "true false",
        "tru",
        "-",
        "-0",
        "01",
        "1.",
        "1.e1",
        "1e",
        "1e+",
        "1E-7",
        ".5",
        "+1",
        "0.5e10",
        "\"",
        "\"\\\"",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\\x\"",
        "\"a\tb\"",
        "\"\u{7f}ä\"",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1}",
        "{1:2}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1]",
        "{\"a\":[{\"b\":[]},{}],\"c\":\"d\\n\"}",
        "{\"a\":1 \"b\":2}",
        "]",
        "}",
        "{\"a\" : 1 , \"b\" :\t2}\r\n",
    ];
    for text in texts {
        let (ours, theirs) = verdicts(text);
        assert_eq!(ours, theirs, "{text}");
    }
}

#[test]
fn judges_a_character_alike_at_every_offset() {
    for character in ('\0'..='\u{ff}').chain("\u{722}\u{7dc}€😀".chars()) {
        for offset in (0..20).chain(60..70) {
            let text = format!("[\"{}{character}{}\"]", "x".repeat(offset), "y".repeat(70 - offset));
            let (ours, theirs) = verdicts(&text);
            assert_eq!(ours, theirs, "{text}");
        }
    }
}

#[test]
fn rejects_deep_nesting_without_recursion() {
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(verdicts(&nested(128)).0);
    assert!(!verdicts(&nested(129)).0);
    assert!(!verdicts(&"{\"a\":".repeat(1_000_000)).0);
}

#[test]
fn finds_members_in_order_in_any_spelling() {
    let mut found = Vec::new();
    let mut scanner = Scanner::new(r#" {"a" : [1, {"x":"}"}] ,"b\u0062":"\"" , "":null} "#);
    let object = scanner.object(|scanner, name| {
        found.push((name.into_owned(), scanner.value()?.to_owned()));
        Ok(())
    });
    assert_eq!(object, Ok(true));
    assert_eq!(scanner.end(), Ok(()));
    let expected = [("a", r#"[1, {"x":"}"}]"#), ("bb", r#""\"""#), ("", "null")];
    assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn splits_an_array() {
    let elements = |text| {
        let mut elements = Vec::new();
        let read = Scanner::new(text).elements(|scanner| scanner.value().map(|value| elements.push(value)));
        read.map(|is_array| is_array.then_some(elements))
    };
    assert_eq!(elements(" [ ]"), Ok(Some(vec![])));
    assert_eq!(elements(r#"[1 ,"a,b", [2,3]]"#), Ok(Some(vec!["1", r#""a,b""#, "[2,3]"])));
    assert_eq!(elements("{}"), Ok(None));
    assert!(elements("[1,]").is_err());
}

proptest! {
    #[test]
    fn agrees_with_serde_json_on_mutated_json(
        index in 0_usize..80,
        with in prop::sample::select(vec!["", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", "e", ".", " ", "t", "\u{1}", "ä"]),
        cut in 0_usize..3,
    ) {
        let text = r#"{"jsonrpc":"2.0","id":-1.5e3,"a":[true,false,null,{"b\u00e4\n":"c"}],"d":{},"e":[]}"#;
        let index = index.min(text.len());
        let mutated = format!("{}{with}{}", &text[..index], &text[(index + cut).min(text.len())..]);
        let (ours, theirs) = verdicts(&mutated);
        prop_assert_eq!(ours, theirs, "{}", mutated);
    }
}

#[test]
fn bytes_are_plain_if_a_json_string_needs_no_escapes_for_them() {
    for length in 0..40 {
        assert!(is_plain(&vec![b' '; length]) && is_plain(&vec![0xff; length]));
        for (place, special) in (0..length).flat_map(|place| (0..0x20).chain(*b"\"\\").map(move |byte| (place, byte))) {
            for filling in [b'x', 0xff] {
                let mut bytes = vec![filling; length];
                bytes[place] = special;
                assert!(!is_plain(&bytes), "{bytes:?}");
            }
        }
    }
}

#[test]
fn finds_the_named_members_of_an_object() {
    let object = r#"{ "a": [1], "\u0062": "x", "c": {"a": 2} }"#;
    assert_eq!(members(object, ["b", "a", "d"]), Some([Some(r#""x""#), Some("[1]"), None]));
    assert_eq!(members(object, []), Some([]));
    for wrong in ["", "[]", r#""a""#, r#"{"a":1,"\u0061":2}"#, r#"{"a":1} 2"#, r#"{"a":}"#] {
        assert_eq!(members(wrong, ["a"]), None, "{wrong}");
    }
    assert_eq!(members(r#"{"a":1,"b":2,"b":3}"#, ["a"]), Some([Some("1")]), "other members may be repeated");
}
