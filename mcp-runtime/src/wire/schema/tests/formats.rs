//! Compares the formats with the crate `jsonschema`.

use proptest::{
    prelude::{ProptestConfig, any},
    test_runner::{TestCaseError, TestRunner},
};
use serde_json::{Value, json};

use crate::wire::schema::format::StringFormat;

const SEEDS: [(&str, &[&str]); 9] = [
    ("date", &["2026-02-28", "2024-02-29", "2026-02-29", "2026-12-31", "2026-04-31", "1900-02-29"]),
    ("time", &["14:30:00Z", "23:59:60Z", "00:00:00.123+01:30", "22:59:60-01:00", "23:59:59z"]),
    ("date-time", &["2026-02-28T14:30:00Z", "2026-01-01t00:00:00.5+23:59", "1990-12-31T15:59:60-08:00"]),
    ("duration", &["P1Y2M3DT4H5M6S", "PT1H", "P4W", "P1D", "PT36H", "P1YT1S", "P1Y1D", "PT1H1S", "P"]),
    (
        "email",
        &["me@example.com", "a.b+c@mail.example.org", "\"a b\"@example.com", "a@[127.0.0.1]", "a..b@example.com"],
    ),
    ("hostname", &["example.com", "a-b.c", "localhost", "-a.com", "a..b"]),
    ("ipv4", &["1.2.3.4", "255.255.255.255", "256.1.1.1", "01.2.3.4"]),
    ("ipv6", &["::1", "2001:db8::ff00:42:8329", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8", "fe80::1%eth0"]),
    ("uuid", &["2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"]),
];

fn oracle(format: &str) -> jsonschema::Validator {
    let schema = json!({ "format": format });
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a known format")
}

/// Returns the seed with some of its bytes replaced, removed or doubled.
fn mutated(seed: &str, mutations: &[(u8, u8)]) -> String {
    let mut text: Vec<char> = seed.chars().collect();
    for (at, what) in mutations {
        let at = *at as usize % text.len().max(1);
        let other = b"0123569-:.TZzPDWS+@a%/[ "[*what as usize % 24] as char;
        match what % 3 {
            _ if at >= text.len() => text.push(other),
            0 => text[at] = other,
            1 => drop(text.remove(at)),
            _ => text.insert(at, other),
        }
    }
    text.into_iter().collect()
}

/// Returns whether the oracle is known to be wrong: it takes some characters for digits (`2026-01-3/`), and rejects the
/// fractions of seconds in durations that Rust's date libraries write.
fn oracle_is_wrong(name: &str, text: &str) -> bool {
    let are_digits = |text: &str, places: &[usize]| {
        places.iter().all(|place| text.as_bytes().get(*place).is_some_and(u8::is_ascii_digit))
    };
    let date = |text: &str| !are_digits(text, &[0, 1, 2, 3, 5, 6, 8, 9]);
    let time = |text: &str| {
        let (clock, offset) = text.split_at(text.rfind(['+', '-', 'Z', 'z']).unwrap_or(text.len()));
        let has_offset = offset.starts_with(['+', '-']);
        !are_digits(clock, &[0, 1, 3, 4, 6, 7]) || (has_offset && !are_digits(offset, &[1, 2, 4, 5]))
    };
    match name {
        "date" => date(text),
        "time" => time(text),
        "date-time" => date(text) || text.get(11..).is_none_or(time),
        "duration" => text.contains('.'),
        _ => false,
    }
}

#[test]
fn agrees_with_the_oracle_on_formats() {
    for (name, seeds) in SEEDS {
        let (ours, oracle) = (StringFormat::named(name).expect("known"), oracle(name));
        let config = ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() };
        let mutations = proptest::collection::vec(any::<(u8, u8)>(), 0..4);
        let ran = TestRunner::new(config).run(&mutations, |mutations| {
            for seed in seeds {
                let text = mutated(seed, &mutations);
                if oracle_is_wrong(name, &text) {
                    continue;
                }
                if ours.accepts(&text) != oracle.is_valid(&Value::from(text.as_str())) {
                    return Err(TestCaseError::fail(format!("{name}: {text:?}: ours {}", ours.accepts(&text))));
                }
            }
            Ok(())
        });
        assert!(ran.is_ok(), "{}", ran.unwrap_err());
    }
}

#[test]
fn uris() {
    for fitting in [
        "https://example.com/a/b?c=d&e=%20#f",
        "http://user:pw@[::1]:8080/",
        "mailto:me@example.com",
        "urn:isbn:0451450523",
        "file:///etc/hosts",
        "http://example.com",
        "x:",
    ] {
        assert!(StringFormat::Uri.accepts(fitting) && oracle("uri").is_valid(&json!(fitting)), "{fitting}");
    }
    // The oracle follows RFC 3986.
    for fitting in ["http://é", "https://例え.jp/パス?ü=ö#ß", "mailto:jörg@example.com"] {
        assert!(StringFormat::Uri.accepts(fitting), "{fitting}");
    }
    for failing in [
        "",
        "example.com",
        "/path",
        "//example.com",
        "http://a b",
        "http://[::1",
        "http://[x]/",
        "1http://a",
        "http://a/%2",
        "http://a:port/",
        "http://a/<b>",
        "http://a#b#c",
        ":",
    ] {
        assert!(!StringFormat::Uri.accepts(failing) && !oracle("uri").is_valid(&json!(failing)), "{failing}");
    }
}

#[test]
fn is_right_where_the_oracle_is_wrong() {
    for failing in ["2026-01-3/", "+026-01-31", "202-001-31", "2026-01", ""] {
        assert!(!StringFormat::Date.accepts(failing), "{failing}");
    }
    for failing in ["14:3.:00Z", "14:30:00", "14:30:00z01:30", "14:30:00.Z", "23:59:60+01:00", "24:00:00Z", "-"] {
        assert!(!StringFormat::Time.accepts(failing), "{failing}");
    }
    assert!(StringFormat::Duration.accepts("PT1.5S") && !StringFormat::Duration.accepts("PT1.S"));
    assert!(!StringFormat::Duration.accepts("PT1.5H") && !StringFormat::Duration.accepts("P1.5D"));
    assert!(
        StringFormat::Ip.accepts("::1")
            && StringFormat::Ip.accepts("10.0.0.1")
            && !StringFormat::Ip.accepts("example.com")
    );
}
