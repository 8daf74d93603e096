//! The `main` of a benchmark that `cargo bench` runs.

use std::{env, process::ExitCode};

use crate::Result;

/// Runs a benchmark with the words of its command line. The program fails if `run` fails, or returns `false` because a
/// limit is not kept.
pub(crate) fn main(run: impl FnOnce(&[String]) -> Result<bool>) -> ExitCode {
    let (flags, words): (Vec<_>, Vec<_>) = env::args().skip(1).partition(|word| word == "--bench");
    // `cargo bench` says `--bench`; `cargo test --all-targets` does not.
    if flags.is_empty() {
        return ExitCode::SUCCESS;
    }
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
