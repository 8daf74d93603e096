//! A server under callgrind, whatever way it is asked.

use std::{env, fs, process, thread};

use crate::Result;

/// Valgrind counts `rep movsb`, with which glibc copies large blocks, as one instruction for every byte. Without it
/// glibc copies in a loop, which is counted as the processor would.
const COPY_IN_A_LOOP: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff");

/// The instructions of one of so many calls: what a longer run has more than a shorter one, a fifth of it ahead of both.
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

/// All instructions of a server. `run` starts it behind the words of a wrapper and with a variable of the environment,
/// asks it, and ends it. With `CALLGRIND_OUT=folder` its profile is kept there, by this name.
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
