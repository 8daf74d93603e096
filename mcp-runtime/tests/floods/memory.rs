//! The memory of a process that runs one flood.

use std::{env, fs, process::Command};

/// The most bytes that a flood may add to the memory of the idle process.
pub(crate) const MOST: usize = 200_000_000;

/// Runs the rest of the test in a process of its own, so that floods do not measure each other. Each test begins with it.
macro_rules! in_own_process {
    () => {
        if !$crate::memory::is_own_process(|| ()) {
            return;
        }
    };
}
pub(crate) use in_own_process;

/// Returns whether this process runs only the test that calls. If not, runs it in such a process, and fails if it fails.
/// `here` is a closure of the test: its type has the name of the test.
pub(crate) fn is_own_process<F: Fn()>(_here: F) -> bool {
    const MARK: &str = "MCP_TEST_FLOOD";
    if env::var_os(MARK).is_some() {
        return true;
    }
    // `floods::runs::a_test::{{closure}}::{{closure}}`
    let path = std::any::type_name::<F>().split_once("::").unwrap().1;
    let test = path.split("::{{").next().unwrap();
    let output = Command::new(env::current_exe().unwrap()).args(["--exact", test]).env(MARK, "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

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
        let more = status("VmHWM").saturating_sub(self.resident);
        assert!(more < MOST, "the flood took {} MB more than the idle process", more / 1_000_000);
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
