//! The memory that one flood takes. The bytes that are allocated are counted, and not those that are resident: how many
//! pages a process has depends on the kernel, on its number of threads and on the load of the machine.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The most bytes that a flood may add to the memory of the idle process, with the default limits of the server.
const MOST: usize = 200_000_000;
/// Floods of many megabytes have limits, texts and counts of this part of the defaults, because a test without
/// optimization takes a second for ten megabytes.
pub(crate) const PART: usize = 4;

/// The memory of the process before a flood.
pub(crate) struct Idle {
    allocated: usize,
}

impl Idle {
    /// Measures the memory of the process.
    pub(crate) fn measure() -> Self {
        ALLOCATED.reset_peak_usage();
        Self { allocated: ALLOCATED.current_usage() }
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
        let more = ALLOCATED.peak_usage().saturating_sub(self.allocated);
        assert!(more < most, "the flood took {} MB more than the idle process", more / 1_000_000);
    }

    /// Returns by how many bytes the memory of the process exceeds that of the idle process.
    pub(crate) fn more(&self) -> usize {
        ALLOCATED.current_usage().saturating_sub(self.allocated)
    }
}
