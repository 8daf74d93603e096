//! Reads the processor time of a process from Linux.

use std::{fs, time::Duration};

use crate::Result;

/// Returns the processor time that all threads of the process have used.
pub(crate) fn processor_time(process: u32) -> Result<Duration> {
    let mut nanoseconds = 0;
    for thread in fs::read_dir(format!("/proc/{process}/task"))? {
        let figures = fs::read_to_string(thread?.path().join("schedstat"))?;
        nanoseconds += figures.split_whitespace().next().ok_or("`schedstat` is empty")?.parse::<u64>()?;
    }
    Ok(Duration::from_nanos(nanoseconds))
}
