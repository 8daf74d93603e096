//! The memory of a process that runs one flood.

use std::fs;

/// The most bytes that a flood may add to the memory of the idle process, with the default limits of the server.
const MOST: usize = 200_000_000;
/// Floods of many megabytes have limits, texts and counts of this part of the defaults, because a test without
/// optimization takes a second for ten megabytes.
pub(crate) const PART: usize = 4;

/// The memory of the process before a flood.
pub(crate) struct Idle {
    resident: usize,
}

impl Idle {
    /// Measures the memory of the process.
    pub(crate) fn measure() -> Self {
        // Sets the peak to the memory of now (proc(5), `clear_refs`).
        fs::write("/proc/self/clear_refs", "5").unwrap();
        Self { resident: status("VmRSS") }
    }

    /// Checks that the peak since the measurement is less than [`MOST`] above the idle process.
    #[track_caller]
    pub(crate) fn assert_peak(&self) {
        self.assert_peak_below(MOST);
    }

    /// The same for a flood whose limits are a [`PART`] of the defaults.
    #[track_caller]
    pub(crate) fn assert_peak_of_part(&self) {
        self.assert_peak_below(MOST / PART);
    }

    #[track_caller]
    fn assert_peak_below(&self, most: usize) {
        let more = status("VmHWM").saturating_sub(self.resident);
        assert!(more < most, "the flood took {} MB more than the idle process", more / 1_000_000);
    }

    /// Returns by how many bytes the memory of the process exceeds that of the idle process.
    pub(crate) fn more(&self) -> usize {
        status("VmRSS").saturating_sub(self.resident)
    }
}

/// Returns the value of a line of `/proc/self/status` in bytes.
fn status(line: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let value = status.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(':')).unwrap();
    value.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024
}
