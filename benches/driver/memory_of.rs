//! The memory of a process, as Linux tells it.

use std::fs;

use crate::Result;

/// Returns the bytes of a line of `/proc/PROCESS/status`: `VmRSS` is what the process holds, `VmHWM` the most it has held.
pub(crate) fn memory_of(process: u32, name: &str) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kilobytes = value.ok_or_else(|| format!("no `{name}`"))?.trim().trim_end_matches(" kB");
    Ok(kilobytes.parse::<u64>()? * 1024)
}
