//! Counts the instructions of a server with callgrind, over any transport.

use std::{env, fs, process, thread};

use crate::Result;

/// A setting that makes glibc copy large blocks in a loop instead of with `rep movsb`. Valgrind counts `rep movsb` as
/// one instruction for every byte, which does not match the cost on a processor.
const COPY_IN_A_LOOP: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff");

/// Returns the instructions per call. Runs the server twice, with `count / 5` calls and with `count` more, and divides
/// the difference of the two runs by `count`.
pub(crate) fn per_call(count: u32, instructions: impl Fn(u32) -> Result<f64> + Sync) -> Result<f64> {
    let start = count / 5;
    let (short, long) = thread::scope(|scope| {
        let short = scope.spawn(|| instructions(start).map_err(|error| error.to_string()));
        let long = instructions(start + count);
        (short.join(), long)
    });
    let short = short.map_err(|_| "the shorter run panicked")??;
    Ok((long? - short) / f64::from(count))
}

/// Returns all instructions of a server. `run` starts the server with a wrapper command and an environment variable,
/// sends requests to it, and ends it. If `CALLGRIND_OUT` names a folder, callgrind writes the profile `name` there.
pub(crate) fn instructions(name: &str, run: impl FnOnce(&[&str], (&str, &str)) -> Result<()>) -> Result<f64> {
    let log = env::temp_dir().join(format!("callgrind-{}-{name}.log", process::id()));
    let profile = match env::var("CALLGRIND_OUT") {
        Ok(folder) => format!("{folder}/{name}"),
        Err(_) => "/dev/null".to_owned(),
    };
    let wrapper = [
        "valgrind",
        "--tool=callgrind",
        &format!("--callgrind-out-file={profile}"),
        &format!("--log-file={}", log.display()),
    ];
    run(&wrapper, COPY_IN_A_LOOP)?;
    let text = fs::read_to_string(&log)?;
    fs::remove_file(&log)?;
    let collected = text.lines().find_map(|line| line.split_once("Collected : ")).ok_or("callgrind gave no count")?;
    Ok(collected.1.trim().parse()?)
}
