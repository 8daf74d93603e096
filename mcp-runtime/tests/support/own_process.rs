//! Tests that run alone in their process.

use std::{env, process::Command};

/// Runs the rest of the test in a process of its own, because it measures the process or sets
/// what a process has once. The test begins with it.
macro_rules! in_own_process {
    () => {
        if !$crate::support::own_process::is_own_process(|| ()) {
            return;
        }
    };
}
pub(crate) use in_own_process;

/// Returns whether this process runs only the test that calls. If not, runs it in such a process, and fails if it fails.
/// `here` is a closure of the test: its type has the name of the test.
pub(crate) fn is_own_process<F: Fn()>(_here: F) -> bool {
    const MARK: &str = "MCP_TEST_IN_OWN_PROCESS";
    if env::var_os(MARK).is_some() {
        return true;
    }
    // `suite::floods::runs::a_test::{{closure}}::{{closure}}`
    let path = std::any::type_name::<F>().split_once("::").unwrap().1;
    let test = path.split("::{{").next().unwrap();
    let output = Command::new(env::current_exe().unwrap()).args(["--exact", test]).env(MARK, "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}
