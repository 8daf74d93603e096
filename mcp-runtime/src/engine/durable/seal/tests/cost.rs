//! Measures the cost of the seal. `cargo test --release -p mcp-runtime --lib --features seal cost -- --ignored
//! --nocapture`. To measure the seal alone, run this twice under callgrind with different values of `SEAL_TIMES`, and
//! compare the runs.

use std::{env, hint::black_box, time::Instant};

use super::{super::*, binding, seal, seal_journal};
use crate::wire::protocol::canonical::CanonicalArguments;

#[test]
#[ignore = "measures"]
fn cost_of_a_round() {
    let number = |name, otherwise| env::var(name).map_or(otherwise, |text| text.parse().expect("a number"));
    let (times, length) = (number("SEAL_TIMES", 100_000_u32), number("SEAL_JOURNAL", 1024));
    let seal = seal();
    let arguments = r#"{"from":"FRA","to":"LIS","date":"2026-12-24","passengers":[{"name":"Ada","age":36}],"bags":2}"#;
    let journal = vec![b'j'; length as usize];
    let start = Instant::now();
    for _ in 0..times {
        let binding = BoundRequest { arguments: black_box(arguments), ..binding() };
        let state = seal_journal(&seal, &binding, black_box(&journal)).expect("it is small");
        assert_eq!(seal.open(&binding, black_box(&state)).map(|opened| opened.len()), Ok(journal.len()));
    }
    let took = start.elapsed() / times;
    eprintln!("{took:?} to put {} bytes of arguments in order, seal {length} and open them", arguments.len());
}

/// Measures arguments of 4 MiB, the limit of a message, in the worst shapes. None of them should take a second.
#[test]
#[ignore = "measures"]
fn cost_of_large_arguments() {
    let leaf = format!("\"{}\"", "x".repeat(4 << 20));
    let nested = |open: &str, close: &str| format!("{}{leaf}{}", open.repeat(120), close.repeat(120));
    let shapes = [
        ("one string", leaf.clone()),
        ("nested arrays", nested("[", "]")),
        ("nested objects out of order", nested("{\"b\":", ",\"a\":0}")),
        ("empty arrays", format!("[{}0]", "[],".repeat(1 << 20))),
        ("members out of order", format!("{{\"b\":0{}}}", ",\"\":0".repeat(700_000))),
        ("digits", "9".repeat(4 << 20)),
        ("zeros", format!("1{}", "0".repeat(4 << 20))),
        ("escapes", format!("\"{}\"", "\\u0061".repeat(700_000))),
    ];
    for (shape, text) in shapes {
        let start = Instant::now();
        let length = black_box(CanonicalArguments::of(&text)).as_bytes().len();
        eprintln!("{:?} for {shape}: {} bytes become {length}", start.elapsed(), text.len());
    }
}
