//! Tests that two texts of arguments have the same canonical text exactly if they have the same value.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;

use super::{CanonicalArguments, push_canonical};
use crate::wire::protocol::scan::NotJson;

fn canonical(json: &str) -> Result<Vec<u8>, NotJson> {
    let mut out = b"before".to_vec();
    push_canonical(&mut out, json)?;
    Ok(out.split_off("before".len()))
}

fn text(json: &str) -> String {
    String::from_utf8(canonical(json).expect("JSON")).expect("text")
}

#[test]
fn each_value_has_one_canonical_text() {
    let cases = [
        (r#" { "b" : 1 , "a" : [ true , null , "x" ] } "#, r#"{"a":[true,null,"x"],"b":1}"#),
        (r#"{"b":{"d":1,"c":2},"a":[{"z":1,"y":[]},{}]}"#, r#"{"a":[{"y":[],"z":1},{}],"b":{"c":2,"d":1}}"#),
        (r#"{"ä":1,"z":2,"\u0061":3}"#, r#"{"a":3,"z":2,"ä":1}"#),
        (r#""\u0041\/\n\ud83d\ude00""#, r#""A/\n😀""#),
        // A repeated name is kept, because parsers differ in which one they use.
        (r#"{"b":1,"a":2,"a":1}"#, r#"{"a":2,"a":1,"b":1}"#),
        (r#"{"a":1,"a":2,"b":1}"#, r#"{"a":1,"a":2,"b":1}"#),
        (r#"{"":[[]]}"#, r#"{"":[[]]}"#),
        (r#"["\ud800",2]"#, r#"["\ud800",2]"#),
    ];
    for (json, canonical) in cases {
        assert_eq!(text(json), canonical);
        assert_eq!(text(canonical), canonical);
    }
}

#[test]
fn each_number_has_one_canonical_text() {
    let cases = [
        ("1", &["1.0", "1e0", "1E+0", "10e-1", "0.1e1", "0.001e003", "1.000"][..]),
        ("0", &["-0", "0.0", "0e5", "-0.000e-99999999999999999999"]),
        ("-25e1", &["-250", "-2.5e2", "-250.00", "-2500E-1"]),
        ("1e2", &["100", "1e2", "0.1e+3"]),
        ("15e-1", &["1.5", "0.15e1", "1.50"]),
        ("1e-1", &["0.1", "1e-1", "0.10"]),
        ("18446744073709551617", &["18446744073709551617", "18446744073709551617.0", "1.8446744073709551617e19"]),
        ("1e400", &["1e400", "10e399", "1E+400"]),
        ("1e99999999999999999999", &["1e99999999999999999999"]),
        ("-10e9223372036854775807", &["-10e9223372036854775807"]),
        ("1e-9223372036854775808", &["1e-9223372036854775808"]),
        ("0.1e-9223372036854775808", &["0.1e-9223372036854775808"]),
    ];
    for (canonical, spellings) in cases {
        for spelling in spellings {
            assert_eq!(text(spelling), canonical, "{spelling}");
        }
        assert_eq!(text(canonical), canonical);
    }
}

#[test]
fn numbers_that_differ_stay_different() {
    let numbers = [
        "9007199254740992",
        "9007199254740993",
        "18446744073709551616",
        "18446744073709551617",
        "0.1",
        "0.10000000000000000555",
        "1e400",
        "1e401",
        "-1",
        "1",
        "\"1\"",
        "10",
        "[1,0]",
    ];
    for (index, number) in numbers.iter().enumerate() {
        for other in &numbers[..index] {
            assert_ne!(CanonicalArguments::of(number), CanonicalArguments::of(other), "{number} and {other}");
        }
    }
}

#[test]
fn unreadable_text_equals_only_itself() {
    let lone = r#"{"\ud800":1}"#;
    assert!(canonical(lone).is_err());
    assert_eq!(CanonicalArguments::of(lone), CanonicalArguments::of(lone));
    assert_ne!(CanonicalArguments::of(lone), CanonicalArguments::of(r#"{"\ud801":1}"#));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(canonical(&deep).is_err() && canonical("{} {}").is_err() && canonical("").is_err());
    assert_ne!(CanonicalArguments::of(&deep), CanonicalArguments::of(""));
}

/// A JSON value. Whenever a test writes it as text, each part gets a random spelling.
#[derive(Clone, Debug)]
enum Tree {
    Word(&'static str),
    Number(i64, i8),
    Text(String),
    List(Vec<Tree>),
    Object(BTreeMap<String, Tree>),
}

/// Generates few and small values, so that two values are often equal. All numbers are exact as `f64`.
fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        prop::sample::select(&["null", "true", "false"][..]).prop_map(Tree::Word),
        (prop::sample::select(&[0, 1, -1, 10, 15, 100, 123_456_789_012][..]), -2..2_i8)
            .prop_map(|(mantissa, exponent)| Tree::Number(mantissa, exponent)),
        prop::sample::select(&["", "a", "1", "é", "😀", "\"\\\n", "\u{7f}\u{2028}"][..])
            .prop_map(|text| Tree::Text(text.into())),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Tree::List),
            prop::collection::btree_map(prop::sample::select(&["a", "b", "é", "\u{ffff}", "😀"][..]), inner, 0..3)
                .prop_map(|members| Tree::Object(
                    members.into_iter().map(|(name, tree)| (name.into(), tree)).collect()
                )),
        ]
    })
}

impl Tree {
    fn spell(&self, draw: &mut Draw) -> String {
        let space = |draw: &mut Draw| [" ", "", "", "\n\t"][draw.below(4)];
        let value = match self {
            Self::Word(word) => (*word).into(),
            Self::Number(mantissa, exponent) => spell_number(*mantissa, *exponent, draw),
            Self::Text(text) => spell_text(text, draw),
            Self::List(trees) => {
                let values: Vec<String> = trees.iter().map(|tree| tree.spell(draw)).collect();
                format!("[{}{}]", space(draw), values.join(","))
            }
            Self::Object(members) => {
                let mut members: Vec<String> = members
                    .iter()
                    .map(|(name, tree)| {
                        format!("{}{}{}:{}", space(draw), spell_text(name, draw), space(draw), tree.spell(draw))
                    })
                    .collect();
                for last in (1..members.len()).rev() {
                    members.swap(last, draw.below(last + 1));
                }
                format!("{{{}{}}}", members.join(","), space(draw))
            }
        };
        format!("{}{value}{}", space(draw), space(draw))
    }
}

fn spell_number(mantissa: i64, exponent: i8, draw: &mut Draw) -> String {
    // More digits and a smaller exponent: the same number.
    let zeros = draw.below(3) as i8;
    let (mantissa, exponent) = (mantissa * 10_i64.pow(zeros as u32), exponent - zeros);
    let digits = mantissa.unsigned_abs().to_string();
    let sign = if mantissa < 0 { "-" } else { "" };
    match draw.below(3) {
        0 => format!("{sign}{digits}{}{exponent}", ["e", "E"][draw.below(2)]),
        1 if exponent >= 0 => format!("{sign}{digits}e+0{exponent}"),
        _ if mantissa == 0 => format!("{sign}0"),
        _ if exponent >= 0 => format!("{sign}{digits}{}", "0".repeat(exponent as usize)),
        _ => {
            let fraction = usize::from(exponent.unsigned_abs());
            let digits = format!("{digits:0>width$}", width = fraction + 1);
            let (whole, fraction) = digits.split_at(digits.len() - fraction);
            format!("{sign}{whole}.{fraction}{}", "0".repeat(draw.below(3)))
        }
    }
}

fn spell_text(text: &str, draw: &mut Draw) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        if draw.below(2) == 0 {
            for unit in character.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            let json = serde_json::to_string(&character).expect("JSON");
            out.push_str(&json[1..json.len() - 1]);
        }
    }
    out.push('"');
    out
}

/// A pseudorandom generator.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Returns whether two values are equal, as `serde_json` reads them.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, left)| right.get(name).is_some_and(|right| same(left, right)))
        }
        _ => left == right,
    }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn all_spellings_of_a_value_have_the_same_text(tree in trees(), seeds: (u64, u64)) {
        let (left, right) = (tree.spell(&mut Draw(seeds.0)), tree.spell(&mut Draw(seeds.1)));
        prop_assert!(same(&read(&left), &read(&right)), "{left} {right}");
        prop_assert_eq!(CanonicalArguments::of(&left), CanonicalArguments::of(&right), "{} {}", left, right);
        prop_assert!(same(&read(&text(&left)), &read(&left)), "{left}");
    }

    #[test]
    fn texts_are_equal_if_and_only_if_the_values_are(left in trees(), right in trees(), seeds: (u64, u64)) {
        let (left, right) = (left.spell(&mut Draw(seeds.0)), right.spell(&mut Draw(seeds.1)));
        let equal = same(&read(&left), &read(&right));
        prop_assert_eq!(CanonicalArguments::of(&left) == CanonicalArguments::of(&right), equal, "{} {}", left, right);
    }

    #[test]
    fn large_integers_stay_distinct(number: u64, other: u64, digits in "[1-9][0-9]{20,40}", last in 0..9_u8) {
        prop_assert_eq!(text(&number.to_string()) == text(&other.to_string()), number == other);
        prop_assert_eq!(text(&format!("{number}.0")), text(&number.to_string()));
        prop_assert_ne!(text(&format!("{digits}{last}")), text(&format!("{digits}{}", last + 1)));
    }
}
