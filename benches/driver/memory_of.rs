//! Reads the memory of a process from Linux.

use std::fs;

use crate::Result;

/// Returns the value of a line of `/proc/PROCESS/status` in bytes. `VmRSS` is the current memory of the process, and
/// `VmHWM` is its peak memory.
pub(crate) fn memory_of(process: u32, name: &str) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kilobytes = value.ok_or_else(|| format!("no `{name}`"))?.trim().trim_end_matches(" kB");
    Ok(kilobytes.parse::<u64>()? * 1024)
}
