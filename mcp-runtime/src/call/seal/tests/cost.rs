//! What the seal takes. `cargo test --release -p mcp-runtime --lib --features seal cost -- --ignored --nocapture`;
//! `SEAL_TIMES` says how often, so that the difference of two runs under callgrind is the seal's alone.

use std::{env, hint::black_box, time::Instant};

use super::{super::*, binding, seal};

#[test]
#[ignore = "measures"]
fn cost_of_a_round() {
    let times: u32 = env::var("SEAL_TIMES").map_or(100_000, |times| times.parse().expect("a number"));
    let seal = seal();
    let arguments = r#"{"from":"FRA","to":"LIS","date":"2026-12-24","passengers":[{"name":"Ada","age":36}],"bags":2}"#;
    let journal = [b'j'; 1024];
    let start = Instant::now();
    for _ in 0..times {
        let binding = Binding { arguments: &CanonicalArguments::of(black_box(arguments)), ..binding() };
        let state = seal.seal(&binding, black_box(&journal)).expect("it is small");
        assert_eq!(seal.open(&binding, black_box(&state)).map(|journal| journal.len()), Ok(1024));
    }
    eprintln!(
        "{:?} to put {} bytes of arguments in order, seal and open {}",
        start.elapsed() / times,
        arguments.len(),
        journal.len()
    );
}
